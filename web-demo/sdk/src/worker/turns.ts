/**
 * Runs the work on a sandbox one piece at a time. A call that waits for a person or a server blocks nobody,
 * because each piece is one turn of a call.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** Runs `work` once all earlier work has ended, in success or failure. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => (this.#isOver ? new Promise<never>(() => undefined) : work()));
    // The caller of the work gets its error.
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** Stops all work: waiting calls get no answer here, and are repeated elsewhere. */
  end(): void {
    this.#isOver = true;
  }
}
