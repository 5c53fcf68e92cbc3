/** Nanoseconds of work between two looks at the clock, by a cautious measure. */
const STEP = 10_000n;

/**
 * The component's clock. On the platform time stands still while a worker computes, so a deadline that
 * only time could bring would never come. The component looks at the clock each time it has done
 * some work: each look counts as that much time at least.
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
