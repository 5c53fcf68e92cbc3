// Who listens to a sandbox, and hears what waits for a person.

import type { Rows } from './rows.js';
import type { Visit } from './shim.js';

/** Milliseconds after which whoever has heard nothing is told that somebody is there. */
const PERIOD = 15_000;
/** The most that listen. That somebody has gone is not always told, so the first of them makes room. */
const MOST = 64;
/** How many events wait for whoever does not read them. */
const UNREAD = 16;

interface Listener {
  visit: Visit;
  to: ReadableStreamDefaultController<Uint8Array>;
}

export class Listeners {
  readonly #all = new Set<Listener>();
  readonly #rows: () => Rows;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(rows: () => Rows) {
    this.#rows = rows;
  }

  /** An answer that goes on. The visit is the listener's from now on. */
  add(visit: Visit): Response {
    const [first] = this.#all;
    if (first && this.#all.size >= MOST) {
      first.to.close();
      this.#end(first);
    }
    const { status, headers } = visit.listen();
    let listener: Listener | undefined;
    const events = new ReadableStream<Uint8Array>({
      start: (to) => {
        listener = { visit, to };
        this.#all.add(listener);
        this.#tell(listener);
        if (this.#all.size > 0) this.#ticking ??= setInterval(() => this.tell(true), PERIOD);
      },
      cancel: () => {
        if (listener) this.#end(listener);
      },
    });
    return new Response(events, { status, headers });
  }

  /** Tells each what has changed, or else, if `isAnyway`, that somebody is there. */
  tell(isAnyway = false): void {
    for (const listener of [...this.#all]) this.#tell(listener, isAnyway);
  }

  #tell(listener: Listener, isAnyway = false): void {
    const { visit, to } = listener;
    try {
      if ((to.desiredSize ?? 0) < -UNREAD) throw new Error('nobody reads the events');
      const news = visit.hear(this.#rows(), Date.now());
      if (visit.response) {
        to.close();
        this.#end(listener);
      } else if (news !== undefined || isAnyway) to.enqueue(new TextEncoder().encode(news ?? ':\n\n'));
    } catch (error) {
      // Nothing depends on who listens, and they ask again.
      console.warn('gitgate: a listener is left', error);
      to.error(error);
      this.#end(listener);
    }
  }

  #end(listener: Listener): void {
    if (!this.#all.delete(listener)) return;
    listener.visit.free();
    if (this.#all.size > 0 || this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}
