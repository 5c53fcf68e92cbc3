/** Nanoseconds, more than any call may take. */
const FAR = 10n ** 18n;

/**
 * The component's clock. It jumps ahead for a cancelled call, which then ends in an orderly way by its
 * deadline. The flag is in memory shared with the tab, because a running call receives no messages.
 */
export class Clock {
  /** The running call, or 0, and the cancelled one. Ids are never reused. */
  readonly #flag: Int32Array | undefined;
  #running = 0;
  readonly #onRead: (now: number) => void;

  /** `onRead` receives the time in milliseconds at every read. */
  constructor(flag?: SharedArrayBuffer, onRead: (now: number) => void = () => undefined) {
    this.#flag = flag && new Int32Array(flag);
    this.#onRead = onRead;
  }

  /** While `work` runs, call `id` can be cancelled. */
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
