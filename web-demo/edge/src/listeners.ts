// The listeners of a sandbox, which receive the list of waiting calls.

import type { Rows } from './rows.js';
import type { Shares, Visit } from './shim.js';

/** Milliseconds of silence after which a listener gets a keep-alive. */
const PERIOD = 15_000;
/** The most events that wait for a slow reader. */
const UNREAD = 16;

interface Listener {
  visit: Visit;
  token: string | undefined;
  role: string | undefined;
  to: ReadableStreamDefaultController<Uint8Array>;
}

export class Listeners {
  readonly #all = new Set<Listener>();
  readonly #rows: () => Rows;
  readonly #shares: Shares;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(rows: () => Rows, shares: Shares) {
    this.#rows = rows;
    this.#shares = shares;
  }

  /**
   * A streaming answer. The listener owns the visit from now on. Without room it returns nothing, and the
   * visit is over.
   */
  add(visit: Visit): Response | undefined {
    const { token, role } = visit;
    if (!this.#hasRoom(visit)) {
      visit.refuse('busy', 'too many are listening', 'try again later');
      return undefined;
    }
    const { status, headers } = visit.listen();
    let listener: Listener | undefined;
    const events = new ReadableStream<Uint8Array>({
      start: (to) => {
        listener = { visit, token, role, to };
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

  /**
   * Reserves a place. The platform does not always report a disconnect, so the oldest listener with the
   * same token gives way, or else the oldest of the same role, and nobody else.
   */
  #hasRoom(visit: Visit): boolean {
    if (visit.takeListener(this.#shares)) return true;
    const all = [...this.#all];
    const first = all.find((one) => one.token === visit.token) ?? all.find((one) => one.role === visit.role);
    if (!first) return false;
    first.to.close();
    this.#end(first);
    return visit.takeListener(this.#shares);
  }

  /** Sends each listener the changes, or, if `isAnyway`, a keep-alive. */
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
      // Nothing depends on a listener, and clients reconnect.
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
