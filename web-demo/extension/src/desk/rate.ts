// Limits what one agent may send.

/** Characters of one message, as JSON. */
export const LONGEST = 8 << 20;
/** Calls in progress. */
export const AT_ONCE = 64;
/** Ports of one agent. */
export const PORTS = 16;
/** Milliseconds during which a refused agent's requests are ignored. */
const REFUSED_MS = 60_000;
const BURST = 1000;
const PER_SECOND = 200;

/** Returns whether another message is within the limit at the time `now`, in milliseconds. */
export class Rate {
  #left = BURST;
  #last: number;

  constructor(now: number) {
    this.#last = now;
  }

  #fill(now: number): void {
    this.#left = Math.min(BURST, this.#left + ((now - this.#last) / 1000) * PER_SECOND);
    this.#last = now;
  }

  isFull(now: number): boolean {
    this.#fill(now);
    return this.#left === BURST;
  }

  take(now: number): boolean {
    this.#fill(now);
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** The limits that all ports of one agent share, so that further ports gain it nothing. */
export class Share {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** Calls in progress. */
  calls = 0;
  #refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
    this.#rate = new Rate(now());
  }

  take(): boolean {
    return this.#rate.take(this.#now());
  }

  refuse(): void {
    this.#refusedUntil = this.#now() + REFUSED_MS;
  }

  get isRefused(): boolean {
    return this.#now() < this.#refusedUntil;
  }

  /** Whether a new one would be the same. */
  get isIdle(): boolean {
    return this.calls === 0 && !this.isRefused && this.#rate.isFull(this.#now());
  }
}
