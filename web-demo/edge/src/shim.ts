// The shim built for edge functions. It is generated, so its types are declared here: see
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

/** What there is to tell a listener. If it `asks`, only the sandbox knows. */
export interface News {
  bytes: Uint8Array | undefined;
  asks: boolean;
}

/** A server's shared resources. Freeing a visit returns its share. */
export interface Shares {
  free(): void;
}

/** A request in progress. A failed step ends it, and later steps change nothing. */
export interface Visit {
  readonly operation: string | undefined;
  readonly sandbox: string | undefined;
  /** Present once it is over. */
  readonly response: Answer | undefined;
  authorize(storage: Storage | undefined, now: number): void;
  /** Asks to read a body of this many bytes, if the length is known. */
  takeBody(shares: Shares, length: number | undefined): void;
  admit(body: Uint8Array): void;
  /** Takes a place for processing. */
  takePlace(shares: Shares): void;
  /** Takes a place for listening, and returns whether there was one. */
  takeListener(shares: Shares): boolean;
  /** The caller's role, once it is authorized. Missing for the operator. */
  readonly role: 'owner' | 'reviewer' | 'agent' | undefined;
  /** The id of the caller's token, under the same conditions. */
  readonly token: string | undefined;
  describe(): void;
  list(names: string[]): void;
  create(host: ShimHost, storage: Storage, opened: Opened): ShimSandbox | undefined;
  /** Answers that the sandbox is gone, if it must go whatever it contains. Returns whether it must. */
  goesAnyway(storage: Storage, now: number): boolean;
  open(host: ShimHost, storage: Storage, opened: Opened): ShimSandbox | undefined;
  begin(sandbox: ShimSandbox): void;
  /** Whether the answer has begun, and goes on later: then `listen`. */
  readonly goesOn: boolean;
  /** Answers with a stream: it begins with the answer's body, and goes on with what `hear` gives from time to time. */
  listen(): Answer;
  hear(storage: Storage, now: number): News;
  /** What keeps the connection alive. */
  alive(): Uint8Array;
  /** Ends it because somebody else needs its place, and returns what the listener is told last. */
  leave(): Uint8Array;
  /** Asks the sandbox what the listener is to hear. Then `advance`, and `hear` again. */
  ask(sandbox: ShimSandbox): void;
  /** The name of the copy, once the copy is permitted. */
  readonly copy: string | undefined;
  /** Answers with the copying object's result, or that a sandbox of that name exists. */
  copied(made: Uint8Array | undefined): void;
  advance(): ShimNeed | undefined;
  give(given: ShimGiven): void;
  refuse(why: 'too-large' | 'busy' | 'bad-request' | 'failed', detail: string, hint: string): void;
  absent(): void;
  free(): void;
}

/** What a copy contains besides both logs and all blobs: kinds of records, and texts by name. */
export interface Copied {
  kinds: string[];
  texts: string[];
}

export interface EdgeShim extends ShimModule {
  Visit: new (head: Head, operator: string, hosts: string, origins: string) => Visit;
  Shares: new () => Shares;
  copied(): Copied;
  /** Creates the sandbox `name` from a copy of `from`, and returns the body of the answer. */
  forked(host: ShimHost, storage: Storage, name: string, from: string): Uint8Array;
}
