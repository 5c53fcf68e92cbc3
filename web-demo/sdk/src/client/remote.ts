// A sandbox that is open elsewhere in the same program, reached through a port. Its own side performs the
// needs of calls. Whoever has the port can do everything that a person can.

import { GitgateError } from '../error.js';
import type { Event, Port, ToClient, ToServer } from '../protocol.js';
import { Caller, serve } from '../rpc.js';
import type { Serving, Watch } from '../rpc.js';
import { Emitter } from './events.js';
import { forward } from './forward.js';
import { GitHub } from './github.js';
import { closed } from './line.js';
import type { Line } from './line.js';
import { Needs } from './needs.js';
import { emit } from './open.js';
import { Sandbox } from './sandbox.js';

/** Serves the sandbox to the other end, until the caller calls the returned function. */
export function serveSandbox(sandbox: Sandbox, port: Port<ToClient, ToServer>): () => void {
  const serving: Serving = serve(
    port,
    forward((method, args, { signal }) => sandbox.request(method, args, { signal })),
  );
  const removed = [
    sandbox.on('waiting', (val) => serving.event({ tag: 'waiting', val })),
    sandbox.on('changed', (val) => serving.event({ tag: 'changed', val })),
    sandbox.on('note', (val) => serving.event({ tag: 'note', val })),
    sandbox.on('progress', (val) => serving.event({ tag: 'progress', val })),
    sandbox.on('replaced', (val) => serving.event({ tag: 'replaced', val })),
  ];
  return () => {
    for (const remove of removed) remove();
    serving.gone();
  };
}

export interface Reached {
  sandbox: Sandbox;
  /** Fails all requests without an answer, because the port is gone. */
  lost(error: GitgateError): void;
}

/** The sandbox at the other end. `close` closes the port. */
export function reachSandbox(name: string, port: Port<ToServer, ToClient>, close: () => Promise<void>): Reached {
  const events = new Emitter();
  const caller = new Caller(port, (event: Event) => emit(events, event));
  const needs = new Needs(new GitHub());
  let over: GitgateError | undefined;
  const end = (error: GitgateError): void => {
    over ??= error;
    caller.fail(over);
  };
  const none: Watch['perform'] = () =>
    Promise.reject(new GitgateError('usage', 'what a call needs is done where the sandbox is'));
  const line: Line = {
    isHere: false,
    request: (method, args) => {
      if (over) return { reply: Promise.reject(over), cancel: () => undefined };
      return caller.request(method, args, { perform: none });
    },
    close: () => {
      end(closed());
      return close();
    },
  };
  // The other end distinguishes work from waiting, so the limit applies there.
  const timeoutMs = Number.POSITIVE_INFINITY;
  const sandbox = new Sandbox({ name, line, needs, events, timeoutMs, alone: (_, work) => work() });
  return { sandbox, lost: end };
}
