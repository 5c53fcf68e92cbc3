/** Nanoseconds further than any call may take. */
const FAR = 10n ** 18n;

/**
 * The component's clock. For a call that is called off it jumps ahead, and the call ends in an
 * orderly way as one that took too long. The flag is shared with the tab, because nothing else is
 * heard while a call runs.
 */
export class Clock {
  /** The call that runs, or 0, and the one that is called off. Ids are never used again. */
  readonly #flag: Int32Array | undefined;
  #running = 0;
  readonly #onRead: (now: number) => void;

  /** `onRead` hears of the time whenever it is read, in milliseconds. */
  constructor(flag?: SharedArrayBuffer, onRead: (now: number) => void = () => undefined) {
    this.#flag = flag && new Int32Array(flag);
    this.#onRead = onRead;
  }

  /** While `work` runs, it is the call `id` that can be called off. */
  during<T>(id: number, work: () => T): T {
    this.#set(id);
    try {
      return work();
    } finally {
      this.#set(0);
    }
  }

  #set(id: number): void {
    this.#running = id;
    if (this.#flag) Atomics.store(this.#flag, 0, id);
  }

  isOff(id: number = this.#running): boolean {
    return this.#flag !== undefined && id !== 0 && Atomics.load(this.#flag, 1) === id;
  }

  now(): bigint {
    const read = performance.now();
    this.#onRead(read);
    const now = BigInt(Math.round(read * 1e6));
    return this.isOff() ? now + FAR : now;
  }
}
