import type { Progress } from '../protocol.js';

/** Milliseconds. Work that ends sooner is not reported. */
const SHORT = 50;

interface One {
  what: string;
  due: number;
  isTold: boolean;
}

/**
 * Reports slow work. A working Worker runs no timers, so this checks at every clock read. Reporting
 * everything would take longer than most calls.
 */
export class Doing {
  readonly #tell: (progress: Progress) => void;
  readonly #all = new Set<One>();
  /** When the next one is due for a report. */
  #due = Number.POSITIVE_INFINITY;

  constructor(tell: (progress: Progress) => void) {
    this.#tell = tell;
  }

  /** The work lasts until the caller calls the returned function. */
  begin(what: string, now: number): () => void {
    const one = { what, due: now + SHORT, isTold: false };
    this.#all.add(one);
    this.#next();
    return () => {
      this.#all.delete(one);
      this.#next();
      if (one.isTold) this.#tell({ what, isOver: true });
    };
  }

  look(now: number): void {
    if (now < this.#due) return;
    for (const one of this.#all) {
      if (one.isTold || now < one.due) continue;
      one.isTold = true;
      this.#tell({ what: one.what, isOver: false });
    }
    this.#next();
  }

  #next(): void {
    this.#due = Number.POSITIVE_INFINITY;
    for (const { due, isTold } of this.#all) if (!isTold && due < this.#due) this.#due = due;
  }
}
