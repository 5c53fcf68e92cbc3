// The listeners of a sandbox: answers that go on, with the list of waiting calls, or with what becomes of a push.

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
  /** It waits for its turn at the sandbox. */
  isAsking: boolean;
}

/** Asks the sandbox, in its turn, what a listener is to hear. Does nothing once `isGone`. */
export type Asks = (visit: Visit, isGone: () => boolean) => Promise<void>;

export class Listeners {
  readonly #all = new Set<Listener>();
  readonly #rows: () => Rows;
  readonly #shares: Shares;
  readonly #ask: Asks;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(rows: () => Rows, shares: Shares, ask: Asks) {
    this.#rows = rows;
    this.#shares = shares;
    this.#ask = ask;
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
    const { status, headers, body } = visit.listen();
    let listener: Listener | undefined;
    const events = new ReadableStream<Uint8Array>({
      start: (to) => {
        listener = { visit, token, role, to, isAsking: false };
        this.#all.add(listener);
        if (body.length > 0) to.enqueue(body);
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
    const own = all.filter((one) => one.token === visit.token);
    const first = (own.length > 0 ? own : all.filter((one) => one.role === visit.role)).find((one) => !one.isAsking);
    if (!first) return false;
    const last = first.visit.leave();
    if (last.length > 0) first.to.enqueue(last);
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
    if (listener.isAsking) return;
    try {
      if ((to.desiredSize ?? 0) < -UNREAD) throw new Error('nobody reads the events');
      const { bytes, asks } = visit.hear(this.#rows(), Date.now());
      if (asks) void this.#asking(listener);
      else if (bytes && bytes.length > 0) to.enqueue(bytes);
      else if (isAnyway && !visit.response) to.enqueue(visit.alive());
      if (visit.response) {
        to.close();
        this.#end(listener);
      }
    } catch (error) {
      this.#leave(listener, error);
    }
  }

  async #asking(listener: Listener): Promise<void> {
    listener.isAsking = true;
    try {
      await this.#ask(listener.visit, () => !this.#all.has(listener));
    } catch (error) {
      this.#leave(listener, error);
    } finally {
      listener.isAsking = false;
    }
    if (this.#all.has(listener)) this.#tell(listener);
    else listener.visit.free();
  }

  /** Nothing depends on a listener, and clients reconnect. */
  #leave(listener: Listener, error: unknown): void {
    console.warn('gitgate: a listener is left', error);
    listener.to.error(error);
    this.#end(listener);
  }

  #end(listener: Listener): void {
    if (!this.#all.delete(listener)) return;
    // Its turn may be under way, and frees it then.
    if (!listener.isAsking) listener.visit.free();
    if (this.#all.size > 0 || this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }
}
