/** A request to a forge's server, without credentials. `moves` says that it may move a branch. */
export interface HttpRequest {
  /** Whose server: `github`, or `git` for any git server. */
  forge: string;
  method: string;
  /** Where, at GitHub's API. For a git server the whole address. */
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

/** `lost` has the reason, in words that are safe to show, if the sender knows it. */
export type HttpAnswer = { tag: 'response'; val: HttpResponse } | { tag: 'lost'; val?: string } | { tag: 'too-big' };
