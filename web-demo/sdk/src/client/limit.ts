// Ends a request by a signal or after a time limit, not counting its waiting time.

import { GitgateError, calledOff } from '../error.js';
import type { State } from '../rpc.js';

export interface Limits {
  signal?: AbortSignal | undefined;
  /** Milliseconds of work. The time of a person or a server does not count. */
  timeoutMs?: number | undefined;
}

export class Limit {
  readonly #limits: Limits;
  #cancel: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #left: number;
  #isLate = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#left = limits.timeoutMs ?? Number.POSITIVE_INFINITY;
    if (limits.signal?.aborted) throw calledOff();
  }

  readonly state = (state: State): void => {
    if (state === 'away') this.#pause();
    else this.#go();
  };

  #go(): void {
    // A timer of more than 2^31 ms would fire at once, and nobody waits for weeks.
    if (this.#timer !== undefined || this.#left > 2 ** 31 - 1) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#cancel?.();
    }, this.#left);
  }

  #pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** The reply, unless the limit cancels the request first. */
  async hold<T>(reply: Promise<T>, cancel: () => void): Promise<T> {
    this.#cancel = cancel;
    const { signal, timeoutMs } = this.#limits;
    signal?.addEventListener('abort', cancel);
    this.#go();
    try {
      return await reply;
    } catch (error) {
      const isOurs = this.#isLate && error instanceof GitgateError && error.kind === 'interrupted';
      if (!isOurs) throw error;
      const hint = error.hint || 'ask for less at a time, or allow more time';
      throw new GitgateError('timeout', `it took longer than ${timeoutMs} ms: ${error.message}`, hint);
    } finally {
      this.#pause();
      signal?.removeEventListener('abort', cancel);
    }
  }
}
