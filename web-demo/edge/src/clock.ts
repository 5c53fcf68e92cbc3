/** A cautious estimate of the work between two clock reads, in nanoseconds. */
const STEP = 10_000n;

/**
 * The component's clock. On the platform, time stands still while a worker computes, so a deadline would
 * never come. The component reads the clock each time it has done some work, so each read counts as at
 * least that much time.
 */
export class Clock {
  #last = 0n;

  now(): bigint {
    const time = BigInt(Math.round(performance.now() * 1e6));
    const counted = this.#last + STEP;
    this.#last = time > counted ? time : counted;
    return this.#last;
  }
}
