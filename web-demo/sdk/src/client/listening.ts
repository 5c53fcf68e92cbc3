// Receives a server's events: the calls that wait for a person.

import { told } from '../error.js';
import type { EventName, Events as Values } from '../protocol.js';
import { Emitter } from './events.js';
import { parsed } from './server.js';
import type { Server } from './server.js';
import { waiting } from './shapes.js';
import { Events } from './sse.js';
import type { Sent } from './sse.js';

export interface Pace {
  /** The first and the longest delay before it reconnects. */
  soonMs: number;
  lateMs: number;
  /** The longest time without any data. */
  silenceMs: number;
}

const PACE: Pace = { soonMs: 1000, lateMs: 30_000, silenceMs: 90_000 };

/** Subscribes to the server's list of waiting calls while somebody listens to it. */
export class Listening extends Emitter {
  readonly #server: Server | undefined;
  readonly #pace: Pace;
  #listeners = 0;
  #off: AbortController | undefined;
  #isClosed = false;
  /** The last list received. */
  #waiting = '[]';

  /** Without a server it receives nothing: an agent may not see the waiting calls. */
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

  /** Disconnects, until somebody listens again. */
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
        // The server has sent something, so reconnect soon.
        if (end === 'heard') wait = soonMs;
      } catch (error) {
        // Never follow a redirect, and never retry it. Retry after anything else.
        if (told(error).kind === 'refused') return this.#give(signal);
      }
      await pause(wait, signal);
    }
  }

  /** Returns whether it received anything, or never will. */
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

  /** Ignore events outside the interface. */
  #hear({ event, data }: Sent): boolean {
    if (event === 'comments') this.emit('changed', null);
    if (event !== 'waiting') return event === 'comments';
    const value = parsed(data);
    if (!waiting(value)) return false;
    const text = JSON.stringify(value.waiting);
    if (text !== this.#waiting) this.emit('waiting', value.waiting);
    this.#waiting = text;
    return true;
  }
}

/** An overloaded server, or a failed part of it, may recover. */
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
