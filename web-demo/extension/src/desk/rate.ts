// How much one agent may send.

/** Characters of one message, as JSON. */
export const LONGEST = 8 << 20;
/** Calls that are under way. */
export const AT_ONCE = 64;
/** Ports of one agent. */
export const PORTS = 16;
const BURST = 1000;
const PER_SECOND = 200;

/** Says whether another message is fine at the time `now`, in milliseconds. */
export class Rate {
  #left = BURST;
  #last: number;

  constructor(now: number) {
    this.#last = now;
  }

  take(now: number): boolean {
    this.#left = Math.min(BURST, this.#left + ((now - this.#last) / 1000) * PER_SECOND);
    this.#last = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
