import type { Progress } from '../protocol.js';

/** Milliseconds. What is over sooner than this nobody needs to be told of. */
const SHORT = 50;

interface One {
  what: string;
  due: number;
  isTold: boolean;
}

/**
 * Tells what takes its time. A Worker hears no timer while it works, so the clock looks here
 * whenever it is read. To tell of everything would take longer than most calls do.
 */
export class Doing {
  readonly #tell: (progress: Progress) => void;
  readonly #all = new Set<One>();
  /** When the next one has to be told. */
  #due = Number.POSITIVE_INFINITY;

  constructor(tell: (progress: Progress) => void) {
    this.#tell = tell;
  }

  /** It goes on until the function that comes back is called. */
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
