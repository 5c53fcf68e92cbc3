/**
 * Work on a sandbox, one piece after the other. A call that waits for a person or a server holds up
 * nobody: what is queued here is a turn of it.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** Does `work` once all that came before is done, however it ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => (this.#isOver ? new Promise<never>(() => undefined) : work()));
    // Whoever gave the work hears of its error.
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  /** Nothing more is done: what waits is never answered here, and made again elsewhere. */
  end(): void {
    this.#isOver = true;
  }
}
