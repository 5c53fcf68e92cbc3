// The connection to a sandbox: the Worker of this tab, another tab, or a server.

import { GitgateError } from '../error.js';
import type { Args, Method, Result } from '../protocol.js';
import type { Watch } from '../rpc.js';

export interface Asking<M extends Method> {
  reply: Promise<Result<M>>;
  cancel(): void;
}

export interface Line {
  /** Whether the Worker is this tab's. */
  readonly isHere: boolean;
  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Asking<M>;
  close(): Promise<void>;
}

/** Ends a request with an unknown outcome. */
export function unknown(what: string): GitgateError {
  return new GitgateError(
    'interrupted',
    `${what}; what was asked for may have happened`,
    'look at the history, and make the call again if it is not there',
  );
}

export function closed(): GitgateError {
  return new GitgateError('interrupted', 'the sandbox was closed', 'open it again');
}
