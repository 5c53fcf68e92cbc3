// Keeps a sandbox open in a Worker of this tab, and replaces a lost or stuck Worker. A call that returned
// is in the storage. A request that was not sent certainly has not begun, so the keeper sends nothing while
// something runs, and the next Worker gets it. A call that only waited for a person, or only read from a
// server, is repeated there. If the Worker was running a call, nobody knows the outcome.

import { GitgateError, calledOff, errorOf, gitgateError, told } from '../error.js';
import type { Args, Event, Method, Modules, Need, Opening, Result, ToClient, ToServer } from '../protocol.js';
import { Caller } from '../rpc.js';
import type { Requested, State, Watch } from '../rpc.js';
import { inTime } from './in-time.js';
import { closed, unknown } from './line.js';
import type { Asking, Line } from './line.js';
import { onceFree } from './locks.js';
import type { Locks } from './locks.js';

/** The used part of a `Worker`. */
export interface WorkerLike {
  postMessage(message: ToServer): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToClient>) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void;
  terminate(): void;
}

export interface Keeping {
  opening: Omit<Opening, 'life' | 'modules' | 'flag'>;
  worker: () => WorkerLike;
  locks: Locks;
  onEvent: (event: Event) => void;
  /** Whether memory can be shared with a Worker, so that a running call can be told to stop. */
  isIsolated: boolean;
  /** Performs the needs of the opening itself. */
  perform: Watch['perform'];
  /** Removes a new sandbox after its opening was cancelled and its Worker has ended. */
  discard?: () => Promise<void>;
  /** Keeps the compiled modules for the next Worker. */
  compiled?: { modules?: Modules };
  /** How long a cancelled call may take to end, in milliseconds. */
  graceMs?: number;
  /** How long a Worker may take to end when the sandbox closes, in milliseconds. */
  endMs?: number;
}

interface Entry {
  /** Sends it to the current Worker. */
  send(caller: Caller): Requested<Method>;
  /** Methods, not properties, so that one list holds requests of all kinds. */
  resolve(value: Result<Method>): void;
  reject(error: GitgateError): void;
  /** `undefined` while the keeper holds it. */
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
  isOpen: boolean;
  /** Whether the sandbox is new and unfinished. */
  isMaking: boolean;
  /** Cancels the opening. */
  cancel(): void;
  flag: Int32Array | undefined;
  end(): void;
}

export class Keeper implements Line {
  readonly isHere = true;
  readonly #keeping: Keeping;
  readonly #entries = new Set<Entry>();
  readonly #compiled: { modules?: Modules };
  #life: Life | undefined;
  /** Why there can be no other Worker. */
  #over: GitgateError | undefined;

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
    this.#compiled = keeping.compiled ?? {};
  }

  /** Opens the sandbox, unless it is open. */
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
      if (event.tag === 'compiled') this.#compiled.modules = event.val;
      else if (event.tag === 'making') started.isMaking = true;
      else if (event.tag === 'lost') {
        const { request, error } = event.val;
        // The outcome of that request is known.
        for (const { sent, reject } of [...this.#entries]) if (sent?.id === request) reject(errorOf(error));
        lost(error.message);
      } else if (event.tag === 'alive') {
        onceFree(locks, life, gone.signal, (release) => (release(), lost('the Worker has ended'))).catch(
          (error: unknown) => lost(told(error).message),
        );
      } else onEvent(event);
    };
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      lost(event.message || 'the Worker cannot be loaded');
    });
    const caller = new Caller(
      {
        post: (message) => worker.postMessage(message),
        listen: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
      },
      hear,
    );
    const { modules } = this.#compiled;
    const all: Opening = { ...opening, life, ...(modules && { modules }), ...(flag && { flag }) };
    const { id, reply: opened, cancel: callOff } = caller.request('open', all, { perform });
    const shared = flag && new Int32Array(flag);
    const cancel = (): void => {
      if (shared) Atomics.store(shared, 1, id);
      callOff();
    };
    const end = (): void => {
      gone.abort();
      worker.terminate();
    };
    const started: Life = { caller, opened, isOpen: false, isMaking: false, cancel, flag: shared, end };
    opened.then(
      () => (started.isOpen = true),
      () => {
        // Waiting requests get the reason. The next request tries again.
        if (this.#life === started) this.#life = undefined;
        end();
      },
    );
    return started;
  }

  request<M extends Method>(method: M, args: Args<M>, watch: Watch): Asking<M> {
    const { entry, reply } = this.#enter(method, args, watch);
    void this.#next();
    return { reply, cancel: () => this.#cancel(entry) };
  }

  #enter<M extends Method>(method: M, args: Args<M>, watch: Watch): { entry: Entry; reply: Promise<Result<M>> } {
    const { promise: reply, resolve, reject } = withResolvers<Result<M>>();
    const state = (state: State, need?: Need): void => {
      entry.state = state;
      entry.hasMoved ||= need?.tag === 'http' && need.val.moves;
      this.#guard(entry);
      watch.state?.(state, need);
      if (state === 'away') void this.#next();
    };
    const entry: Entry = {
      send: (caller) => caller.request(method, args, { perform: watch.perform, state }),
      resolve: (value: Result<M>) => (this.#leave(entry), resolve(value)),
      reject: (error) => (this.#leave(entry), reject(error)),
      state: 'running',
      hasMoved: false,
      isOff: false,
    };
    this.#entries.add(entry);
    return { entry, reply };
  }

  #leave(entry: Entry): void {
    clearTimeout(entry.grace);
    this.#entries.delete(entry);
    void this.#next();
  }

  /** Sends the next request. If the sandbox cannot be opened, all held requests get the reason. */
  async #next(): Promise<void> {
    const held = [...this.#entries].filter(({ sent }) => !sent);
    if (held.length === 0) return;
    try {
      await this.open();
    } catch (error) {
      for (const entry of held) if (!entry.sent) entry.reject(gitgateError(error));
      return;
    }
    const life = this.#life;
    if (!life?.isOpen) return;
    for (const entry of this.#entries) {
      if (entry.sent && entry.state === 'running') return;
    }
    const entry = [...this.#entries].find(({ sent }) => !sent);
    if (!entry) return;
    entry.state = 'running';
    const sent = (entry.sent = entry.send(life.caller));
    sent.reply.then(
      (value) => entry.sent === sent && entry.resolve(value),
      (error) => entry.sent === sent && entry.reject(gitgateError(error)),
    );
  }

  #cancel(entry: Entry): void {
    if (!this.#entries.has(entry) || entry.isOff) return;
    entry.isOff = true;
    if (!entry.sent) return entry.reject(calledOff());
    entry.sent.cancel();
    this.#guard(entry);
  }

  /** Ends a running call that was cancelled: by the clock, or else together with its Worker. */
  #guard(entry: Entry): void {
    clearTimeout(entry.grace);
    if (!entry.isOff || !entry.sent || entry.state !== 'running') return;
    const flag = this.#life?.flag;
    // Ids are never reused, so the flag's value cannot affect another call.
    if (flag) Atomics.store(flag, 1, entry.sent.id);
    // Ending the Worker would lose a sandbox in memory. There a call ends at its own deadline.
    if (this.#keeping.opening.storage === 'memory') return;
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
    const hint = 'reload the page, and allow the Worker in its content security policy';
    const failed = new GitgateError('lost', reason, hint);
    for (const entry of [...this.#entries]) {
      clearTimeout(entry.grace);
      const isUnknown = entry.sent && (entry.state === 'running' || entry.hasMoved);
      entry.sent = undefined;
      if (this.#over) entry.reject(this.#over);
      else if (isUnknown) entry.reject(unknown(`its Worker was replaced: ${reason}`));
      // If the sandbox cannot be opened, do not retry over and over.
      else if (!life?.isOpen) entry.reject(failed);
    }
    life?.caller.fail(failed);
    if (this.#over || !life?.isOpen) return;
    void this.#next();
    this.#keeping.onEvent({ tag: 'replaced', val: reason });
  }

  async close(): Promise<void> {
    const life = this.#life;
    // A stuck Worker does not answer.
    const { endMs = 2000 } = this.#keeping;
    this.#over ??= closed();
    for (const entry of [...this.#entries]) if (!entry.sent) entry.reject(this.#over);
    if (life?.isOpen) {
      const { reply } = life.caller.request('close', null, { perform: this.#keeping.perform });
      await inTime(reply, endMs);
    }
    const isLeft = life && !life.isOpen && (await abandon(life, endMs));
    this.#life = undefined;
    life?.end();
    for (const entry of [...this.#entries]) entry.reject(this.#over);
    life?.caller.fail(this.#over);
    if (isLeft) await this.#keeping.discard?.();
  }
}

/**
 * Cancels an opening before any other request, and returns whether it left a new sandbox. A Worker that
 * cancels the opening itself removes the unfinished sandbox.
 */
async function abandon(life: Life, milliseconds: number): Promise<boolean> {
  life.cancel();
  const opened = life.opened.then(
    () => 'open',
    () => 'failed',
  );
  const end = await inTime(opened, milliseconds);
  return life.isMaking && end !== 'failed';
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
