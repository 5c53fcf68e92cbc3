/** A request to GitHub without address and token. One that `moves` may move a branch. */
export interface HttpRequest {
  method: string;
  path: string;
  body?: Uint8Array;
  moves: boolean;
}

/** Headers are named in lower case. */
export interface HttpResponse {
  status: number;
  headers: { [name: string]: string };
  body: Uint8Array;
}

export type HttpAnswer = { tag: 'response'; val: HttpResponse } | { tag: 'lost' } | { tag: 'too-big' };
