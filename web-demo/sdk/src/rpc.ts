// Both ends of the protocol. A request may need something from the client while it runs.

import { GitgateError, calledOff, errorOf, told } from './error.js';
import type { Args, Event, Given, Method, Need, Port, Request, Result, ToClient, ToServer } from './protocol.js';

/** Performs a request's need. `signal` fires once nobody waits for it any more. */
export type Perform = (need: Need, signal: AbortSignal) => Promise<Given>;

/** The state of a request: running, or waiting for a need. */
export type State = 'running' | 'away';

export interface Watch {
  perform: Perform;
  state?: (state: State, need?: Need) => void;
}

export interface Requested<M extends Method> {
  id: number;
  reply: Promise<Result<M>>;
  cancel(): void;
}

interface InFlight extends Watch {
  gone: AbortController;
  /** The needs in progress, by number. */
  needs: Map<number, AbortController>;
  /** A method, not a property, so that the types need not relate a message to its request: the id does. */
  resolve(value: Result<Method>): void;
  reject(error: GitgateError): void;
}

/** The asking end. */
export class Caller {
  readonly #port: Port<ToServer, ToClient>;
  readonly #inFlight = new Map<number, InFlight>();
  #next = 1;

  constructor(port: Port<ToServer, ToClient>, onEvent: (event: Event) => void) {
    this.#port = port;
    port.listen((message) => (message.type === 'event' ? onEvent(message.event) : this.#hear(message)));
  }

  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Requested<M> {
    const id = this.#next++;
    const gone = new AbortController();
    const reply = new Promise<Result<M>>((resolve, reject) => {
      this.#inFlight.set(id, { ...watch, gone, needs: new Map(), resolve, reject });
    });
    try {
      this.#port.post({ type: 'request', id, method, args });
    } catch (error) {
      // An argument cannot be cloned.
      this.#end(id)?.reject(new GitgateError('usage', told(error).message));
    }
    const cancel = (): void => {
      const call = this.#inFlight.get(id);
      if (!call) return;
      call.gone.abort();
      this.#port.post({ type: 'cancel', id });
    };
    return { id, reply, cancel };
  }

  /** Fails every request that has no answer yet. */
  fail(error: GitgateError): void {
    for (const id of [...this.#inFlight.keys()]) this.#end(id)?.reject(error);
  }

  #end(id: number): InFlight | undefined {
    const call = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    call?.gone.abort();
    return call;
  }

  #hear(message: Exclude<ToClient, { type: 'event' }>): void {
    const call = this.#inFlight.get(message.id);
    // It was cancelled.
    if (!call) return;
    switch (message.type) {
      case 'need':
        call.state?.('away', message.what);
        return void this.#perform(call, message);
      case 'withdrawn':
        return call.needs.get(message.need)?.abort();
      case 'done':
        return this.#end(message.id)?.resolve(message.value);
      case 'failed':
        return this.#end(message.id)?.reject(errorOf(message.error));
    }
  }

  /** A failure is the answer to the need. */
  async #perform(call: InFlight, { id, need, what }: ToClient & { type: 'need' }): Promise<void> {
    const off = new AbortController();
    const end = (): void => off.abort();
    if (call.gone.signal.aborted) end();
    call.gone.signal.addEventListener('abort', end);
    call.needs.set(need, off);
    try {
      const given = await call.perform(what, off.signal);
      // It was cancelled.
      if (!this.#inFlight.has(id)) return;
      this.#port.post({ type: 'given', id, need, given });
    } catch (error) {
      if (!this.#inFlight.has(id)) return;
      this.#port.post({ type: 'refused', id, need, error: told(error) });
    } finally {
      call.gone.signal.removeEventListener('abort', end);
      call.needs.delete(need);
    }
    call.state?.('running');
  }
}

/** The context of a running request. */
export interface Context {
  id: number;
  /** Fires when the request is cancelled. */
  signal: AbortSignal;
  /** Once `off` fires, the need is obsolete and fails. */
  need(what: Need, off?: AbortSignal): Promise<Given>;
}

export type Handlers = {
  [M in Method]: (args: Args<M>, context: Context) => Promise<Result<M>>;
};

interface Working {
  off: AbortController;
  needs: Map<number, { resolve: (given: Given) => void; reject: (error: GitgateError) => void }>;
}

export interface Serving {
  event(event: Event): void;
  /** The asking end is gone: cancels its requests and their needs. */
  gone(): void;
}

function handle<M extends Method>(handlers: Handlers, request: Request<M>, context: Context): Promise<Result<M>> {
  return handlers[request.method](request.args, context);
}

/** The answering end. */
export function serve(port: Port<ToClient, ToServer>, handlers: Handlers): Serving {
  const working = new Map<number, Working>();

  async function work(request: Request): Promise<void> {
    const { id } = request;
    const one: Working = { off: new AbortController(), needs: new Map() };
    working.set(id, one);
    let last = 0;
    const need = (what: Need, off?: AbortSignal): Promise<Given> =>
      new Promise((resolve, reject) => {
        last += 1;
        const mine = last;
        one.needs.set(mine, { resolve, reject });
        port.post({ type: 'need', id, need: mine, what });
        off?.addEventListener('abort', () => {
          if (!one.needs.delete(mine)) return;
          port.post({ type: 'withdrawn', id, need: mine });
          reject(calledOff());
        });
      });
    const context = { id, signal: one.off.signal, need };
    let answer: ToClient;
    try {
      answer = { type: 'done', id, value: await handle(handlers, request, context) };
    } catch (error) {
      answer = { type: 'failed', id, error: told(error) };
    }
    working.delete(id);
    port.post(answer);
  }

  port.listen((message) => {
    if (message.type === 'request') return void work(message);
    const one = working.get(message.id);
    // It is over, and this message came too late.
    if (!one) return;
    if (message.type === 'cancel') return one.off.abort();
    const need = one.needs.get(message.need);
    one.needs.delete(message.need);
    if (message.type === 'given') need?.resolve(message.given);
    else need?.reject(errorOf(message.error));
  });

  return {
    event: (event) => port.post({ type: 'event', event }),
    gone: () => {
      for (const { off, needs } of working.values()) {
        off.abort();
        for (const { reject } of needs.values()) reject(new GitgateError('lost', 'whoever asked is gone'));
        needs.clear();
      }
    },
  };
}
