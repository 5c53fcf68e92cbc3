// Keeps a sandbox open in a Worker of this tab, and replaces that when it is lost or stuck. What
// returned is in the storage. What had not begun is made again in the next Worker, and so is what
// only waited for a person or has only read from a server. Of all else nobody knows how it ended.

import { GitgateError, gitgateError } from '../error.js';
import type { Args, Event, Method, Modules, Need, Opening, Result, ToClient, ToServer } from '../protocol.js';
import { Caller } from '../rpc.js';
import type { Requested, State, Watch } from '../rpc.js';
import { closed, unknown } from './line.js';
import type { Asking, Line } from './line.js';
import { onceFree } from './locks.js';
import type { Locks } from './locks.js';

export interface Keeping {
  opening: Omit<Opening, 'life' | 'modules' | 'flag'>;
  worker: () => Worker;
  locks: Locks;
  onEvent: (event: Event) => void;
  /** Whether memory can be shared with a Worker, so that a call that runs can be told to end. */
  isIsolated: boolean;
  /** Performs what the opening itself needs. */
  perform: Watch['perform'];
  /** How long a call that runs has to end after it was called off. */
  graceMs?: number;
}

interface Entry {
  /** Sends it to the Worker that there is. */
  send(caller: Caller): Requested<Method>;
  /** Methods, so that one list has requests of all kinds. */
  resolve(value: Result<Method>): void;
  reject(error: GitgateError): void;
  sent?: Requested<Method> | undefined;
  state: State;
  /** It may have moved a branch. */
  hasMoved: boolean;
  isOff: boolean;
  grace?: ReturnType<typeof setTimeout> | undefined;
}

/** One Worker's life. */
interface Life {
  caller: Caller;
  opened: Promise<{ isNew: boolean }>;
  flag: Int32Array | undefined;
  end(): void;
}

export class Keeper implements Line {
  readonly #keeping: Keeping;
  readonly #entries = new Set<Entry>();
  #modules: Modules | undefined;
  #life: Life | undefined;
  /** Why there can be no other Worker. */
  #over: GitgateError | undefined;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  /** Opens the sandbox, if it is not open. */
  open(): Promise<{ isNew: boolean }> {
    if (this.#over) return Promise.reject(this.#over);
    this.#life ??= this.#start();
    return this.#life.opened;
  }

  #start(): Life {
    const { opening, worker: make, locks, onEvent, isIsolated, perform } = this.#keeping;
    const worker = make();
    const gone = new AbortController();
    const life = `gitgate:worker:${crypto.randomUUID()}`;
    const flag = isIsolated ? new SharedArrayBuffer(8) : undefined;
    const lost = (reason: string): void => {
      if (!gone.signal.aborted) this.#replace(reason);
    };
    const hear = (event: Event): void => {
      if (event.tag === 'compiled') this.#modules = event.val;
      else if (event.tag === 'lost') lost(event.val);
      else if (event.tag === 'alive') {
        onceFree(locks, life, gone.signal, (release) => (release(), lost('the Worker has ended'))).catch(lost);
      } else onEvent(event);
    };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      lost(event.message || 'the Worker cannot be loaded');
    });
    const caller = new Caller(
      {
        post: (message: ToServer) => worker.postMessage(message),
        listen: (listener: (message: ToClient) => void) =>
          worker.addEventListener('message', ({ data }: MessageEvent<ToClient>) => listener(data)),
      },
      hear,
    );
    const modules = this.#modules;
    const all: Opening = { ...opening, life, ...(modules && { modules }), ...(flag && { flag }) };
    const opened = caller.request('open', all, { perform }).reply;
    const end = (): void => {
      gone.abort();
      worker.terminate();
    };
    const started = { caller, opened, flag: flag && new Int32Array(flag), end };
    opened.catch(() => {
      // Whoever waits for it hears why. The next request tries again.
      if (this.#life === started) this.#life = undefined;
      end();
    });
    return started;
  }

  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Asking<M> {
    const entry = this.#enter(method, args, watch);
    void this.#send(entry.entry);
    return { reply: entry.reply, cancel: () => this.#cancel(entry.entry) };
  }

  #enter<M extends Method>(method: M, args: Args<M>, watch: Watch): { entry: Entry; reply: Promise<Result<M>> } {
    const { promise: reply, resolve, reject } = withResolvers<Result<M>>();
    const state = (state: State, need?: Need): void => {
      entry.state = state;
      entry.hasMoved ||= need?.tag === 'http' && need.val.moves;
      this.#guard(entry);
      watch.state?.(state, need);
    };
    const entry: Entry = {
      send: (caller) => caller.request(method, args, { perform: watch.perform, state }),
      resolve: (value: Result<M>) => (this.#leave(entry), resolve(value)),
      reject: (error) => (this.#leave(entry), reject(error)),
      state: 'sent',
      hasMoved: false,
      isOff: false,
    };
    this.#entries.add(entry);
    return { entry, reply };
  }

  #leave(entry: Entry): void {
    clearTimeout(entry.grace);
    this.#entries.delete(entry);
  }

  async #send(entry: Entry): Promise<void> {
    let sent: Requested<Method> | undefined;
    try {
      await this.open();
      const { caller } = this.#life ?? {};
      // The Worker was lost as soon as it was there. The one after it is being started.
      if (!caller) return await this.#send(entry);
      if (!this.#entries.has(entry)) return;
      sent = entry.sent = entry.send(caller);
      const value = await sent.reply;
      if (entry.sent === sent) entry.resolve(value);
    } catch (error) {
      if (entry.sent === sent) entry.reject(gitgateError(error));
    }
  }

  #cancel(entry: Entry): void {
    if (!this.#entries.has(entry) || entry.isOff) return;
    entry.isOff = true;
    if (!entry.sent) return entry.reject(calledOff());
    entry.sent.cancel();
    this.#guard(entry);
  }

  /** Ends a call that runs and was called off, by the clock, else with its Worker. */
  #guard(entry: Entry): void {
    clearTimeout(entry.grace);
    if (!entry.isOff || entry.state !== 'running') return;
    const flag = this.#life?.flag;
    // Ids are never used again, so what stays in the flag concerns no other call.
    if (flag && entry.sent) Atomics.store(flag, 1, entry.sent.id);
    const grace = this.#keeping.graceMs ?? (flag ? 2000 : 250);
    entry.grace = setTimeout(() => this.#replace('a call that was called off did not end'), grace);
  }

  #replace(reason: string): void {
    const life = this.#life;
    this.#life = undefined;
    life?.end();
    const isKept = this.#keeping.opening.storage === 'opfs';
    if (!isKept) {
      this.#over = new GitgateError(
        'lost',
        `the sandbox was in memory only, and is gone with its Worker: ${reason}`,
        'keep what must not be lost in opfs()',
      );
    }
    const again: Entry[] = [];
    for (const entry of [...this.#entries]) {
      clearTimeout(entry.grace);
      // It waits for the sandbox to open, and hears why it does not.
      if (!entry.sent) continue;
      const isUnknown = entry.state === 'running' || entry.hasMoved;
      entry.sent = undefined;
      if (this.#over) entry.reject(this.#over);
      else if (isUnknown) entry.reject(unknown(`its Worker was replaced: ${reason}`));
      else again.push(entry);
    }
    const hint = "reload the page, and allow the Worker in its content security policy";
    life?.caller.fail(new GitgateError('lost', reason, hint));
    if (this.#over) return;
    for (const entry of again) {
      entry.state = 'sent';
      void this.#send(entry);
    }
    this.#keeping.onEvent({ tag: 'replaced', val: reason });
  }

  async close(): Promise<void> {
    const life = this.#life;
    this.#over ??= closed();
    if (life) {
      // A Worker that is stuck does not hear it.
      const stuck = withResolvers<null>();
      const timer = setTimeout(() => stuck.resolve(null), 2000);
      const { reply } = life.caller.request('close', null, { perform: this.#keeping.perform });
      await Promise.race([reply.catch(() => null), stuck.promise]);
      clearTimeout(timer);
    }
    this.#life = undefined;
    life?.end();
    for (const entry of [...this.#entries]) entry.reject(this.#over);
    life?.caller.fail(this.#over);
  }
}

function calledOff(): GitgateError {
  return new GitgateError('interrupted', 'the call was called off; nothing has changed');
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: GitgateError) => void = () => undefined;
  const promise = new Promise<T>((ok, not) => {
    resolve = ok;
    reject = not;
  });
  return { promise, resolve, reject };
}
