/** A request to GitHub without URL and token. `moves` says that it may move a branch. */
export interface HttpRequest {
  method: string;
  path: string;
  body?: Uint8Array;
  moves: boolean;
}

/** Header names are lower case. */
export interface HttpResponse {
  status: number;
  headers: { [name: string]: string };
  body: Uint8Array;
}

export type HttpAnswer = { tag: 'response'; val: HttpResponse } | { tag: 'lost' } | { tag: 'too-big' };
