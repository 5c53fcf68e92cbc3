// Forwards requests to a sandbox that is open elsewhere.

import { GitgateError } from '../error.js';
import type { Args, Method, Result } from '../protocol.js';
import type { Context, Handlers } from '../rpc.js';

export type Pass = <M extends Method>(method: M, args: Args<M>, context: Context) => Promise<Result<M>>;

/** Handlers that forward everything except opening and closing. */
export function forward(pass: Pass): Handlers {
  const to =
    <M extends Method>(method: M) =>
    (args: Args<M>, context: Context): Promise<Result<M>> =>
      pass(method, args, context);
  const own = (): Promise<never> =>
    Promise.reject(new GitgateError('usage', 'the sandbox is opened and closed by the tab that has it'));
  return {
    open: own,
    close: own,
    call: to('call'),
    export: to('export'),
    tools: to('tools'),
    waiting: to('waiting'),
    review: to('review'),
    decide: to('decide'),
    reject: to('reject'),
    comments: to('comments'),
    comment: to('comment'),
    changeComment: to('changeComment'),
    markSeen: to('markSeen'),
    audit: to('audit'),
    decisions: to('decisions'),
    settings: to('settings'),
    fsck: to('fsck'),
    compact: to('compact'),
    fork: to('fork'),
  };
}
