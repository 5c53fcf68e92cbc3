// Listens to what a server tells by itself: what waits for a person.

import { told } from '../error.js';
import type { EventName, Events as Values } from '../protocol.js';
import { Emitter } from './events.js';
import { parsed } from './server.js';
import type { Server } from './server.js';
import { waiting } from './shapes.js';
import { Events } from './sse.js';
import type { Sent } from './sse.js';

export interface Pace {
  /** The first wait before it is asked again, and the longest. */
  soonMs: number;
  lateMs: number;
  /** The longest time in which nothing arrives. */
  silenceMs: number;
}

const PACE: Pace = { soonMs: 1000, lateMs: 30_000, silenceMs: 90_000 };

/** Asks the server to tell what waits as long as somebody listens to that. */
export class Listening extends Emitter {
  readonly #server: Server | undefined;
  readonly #pace: Pace;
  #listeners = 0;
  #off: AbortController | undefined;
  #isClosed = false;
  /** As it was told last. */
  #waiting = '[]';

  /** Without a server nothing is told: an agent may not know what waits. */
  constructor(server: Server | undefined, pace: Partial<Pace> = {}) {
    super();
    this.#server = server;
    this.#pace = { ...PACE, ...pace };
  }

  override on<E extends EventName>(event: E, listener: (value: Values[E]) => void): () => void {
    const remove = super.on(event, listener);
    if (event !== 'waiting') return remove;
    this.#listeners += 1;
    this.#begin();
    let isThere = true;
    return () => {
      remove();
      if (isThere) this.#listeners -= 1;
      isThere = false;
      if (this.#listeners === 0) this.#stop();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    this.#off?.abort();
    this.#off = undefined;
  }

  /** Gives it up, until somebody else begins to listen. */
  #give(signal: AbortSignal): void {
    if (this.#off?.signal === signal) this.#off = undefined;
  }

  #begin(): void {
    if (this.#isClosed || this.#off || !this.#server) return;
    this.#off = new AbortController();
    void this.#listen(this.#server, this.#off.signal);
  }

  async #listen(server: Server, signal: AbortSignal): Promise<void> {
    const { soonMs, lateMs } = this.#pace;
    for (let wait = soonMs; !signal.aborted; wait = Math.min(2 * wait, lateMs)) {
      try {
        const end = await this.#read(server, signal);
        if (end === 'never') return this.#give(signal);
        // A server that has told something is there, and is asked again soon.
        if (end === 'heard') wait = soonMs;
      } catch (error) {
        // A redirect is not followed, now or later. Whatever else it was, it is asked again.
        if (told(error).kind === 'refused') return this.#give(signal);
      }
      await pause(wait, signal);
    }
  }

  /** Says whether anything was heard, or never will be. */
  async #read(server: Server, signal: AbortSignal): Promise<'heard' | 'silent' | 'never'> {
    const cut = new AbortController();
    const end = (): void => cut.abort();
    let silence = setTimeout(end, this.#pace.silenceMs);
    signal.addEventListener('abort', end);
    try {
      const ask = { method: 'GET', path: '/events', signal: cut.signal } as const;
      const response = await server.open(ask, 'text/event-stream');
      if (!response.ok || !response.body) return isForNow(response.status) ? 'silent' : 'never';
      if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) return 'never';
      const events = new Events();
      let isHeard = false;
      for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return isHeard ? 'heard' : 'silent';
        clearTimeout(silence);
        silence = setTimeout(end, this.#pace.silenceMs);
        for (const sent of events.take(value)) isHeard = this.#hear(sent) || isHeard;
      }
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      cut.abort();
    }
  }

  /** What is no event of the interface is not for us. */
  #hear({ event, data }: Sent): boolean {
    if (event !== 'waiting') return false;
    const value = parsed(data);
    if (!waiting(value)) return false;
    const text = JSON.stringify(value.waiting);
    if (text !== this.#waiting) this.emit('waiting', value.waiting);
    this.#waiting = text;
    return true;
  }
}

/** A server that is overwhelmed, or a part of it that is gone, may come back. */
const isForNow = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
