// The shim as it is made for edge functions. It is generated, so its types are stated: see
// web-demo/shim/src/visit.rs.

import type { Opened, ShimGiven, ShimHost, ShimModule, ShimNeed, ShimSandbox, Storage } from 'gitgate/edge';

/** The head of a request. */
export interface Head {
  method: string;
  path: string;
  headers: { name: string; value: string }[];
}

export interface Answer {
  status: number;
  headers: { [name: string]: string };
  body: Uint8Array;
}

/** What a server shares out to those who ask it. A visit gives back what it has taken when it is freed. */
export interface Shares {
  free(): void;
}

/** A request on its way. A step that it does not pass ends it, and the next ones change nothing. */
export interface Visit {
  readonly operation: string | undefined;
  readonly sandbox: string | undefined;
  /** Once it is over. */
  readonly response: Answer | undefined;
  authorize(storage: Storage | undefined, now: number): void;
  /** Takes leave to read a body of so many bytes, if that is known. */
  takeBody(shares: Shares, length: number | undefined): void;
  admit(body: Uint8Array): void;
  /** Takes a place among those who are worked on. */
  takePlace(shares: Shares): void;
  /** Takes a place among those who listen, and says whether there is one. */
  takeListener(shares: Shares): boolean;
  /** The role of whoever asks, once it is known that they may. Nothing for the operator. */
  readonly role: 'owner' | 'reviewer' | 'agent' | undefined;
  /** The id of their token, as the role. */
  readonly token: string | undefined;
  describe(): void;
  list(names: string[]): void;
  create(host: ShimHost, storage: Storage, opened: Opened): ShimSandbox | undefined;
  /** Answers that the sandbox is gone, if it is to go whatever is in it, and says whether it is. */
  goesAnyway(storage: Storage, now: number): boolean;
  open(host: ShimHost, storage: Storage, opened: Opened): ShimSandbox | undefined;
  begin(sandbox: ShimSandbox): void;
  /** Gives the answer, whose body is what `hear` gives from time to time. */
  listen(): Answer;
  hear(storage: Storage, now: number): string | undefined;
  /** The name under which the sandbox is to be copied, once it is known that it may be. */
  readonly copy: string | undefined;
  /** Answers with what the copy's own object has made, or that there is a sandbox of that name. */
  copied(made: Uint8Array | undefined): void;
  advance(): ShimNeed | undefined;
  give(given: ShimGiven): void;
  refuse(why: 'too-large' | 'busy' | 'bad-request' | 'failed', detail: string, hint: string): void;
  absent(): void;
  free(): void;
}

/** What a copy gets besides both logs and all blobs: kinds of records, and texts by name. */
export interface Copied {
  kinds: string[];
  texts: string[];
}

export interface EdgeShim extends ShimModule {
  Visit: new (head: Head, operator: string, hosts: string, origins: string) => Visit;
  Shares: new () => Shares;
  copied(): Copied;
  /** Makes the sandbox `name` of what was copied from `from`, and gives the body of the answer. */
  forked(host: ShimHost, storage: Storage, name: string, from: string): Uint8Array;
}
