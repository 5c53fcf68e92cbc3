// Sends requests to servers, whatever forge they are of: the limits, and what an answer is.

import { GitgateError } from '../error.js';
import type { HttpAnswer, HttpRequest } from '../http.js';
import { read } from './body.js';

/** Sends requests, as `GitHub` and `GitServers` do. */
export interface Sender {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

export interface Limits {
  /** The longest time without any data. */
  silenceMs: number;
  /** The longest time that a request and its answer take. */
  wholeMs: number;
  /** Bytes of an answer's body. */
  answer: number;
}

export interface SendingOptions {
  limits?: Partial<Limits>;
  /** Sends a request. Default: the environment's own `fetch`. */
  fetch?: (url: URL | string, init: RequestInit) => Promise<Response>;
}

export interface HeaderFields {
  [name: string]: string;
}

const LIMITS: Limits = { silenceMs: 30_000, wholeMs: 600_000, answer: 64 << 20 };

/** Sends to servers of one sort, which errors call `server`. */
export class Sending {
  readonly #server: string;
  readonly #limits: Limits;
  readonly #fetch: NonNullable<SendingOptions['fetch']>;

  constructor(server: string, { limits, fetch: own }: SendingOptions) {
    this.#server = server;
    this.#limits = { ...LIMITS, ...limits };
    this.#fetch = own ?? ((url, init) => fetch(url, init));
  }

  /**
   * Sends `request` once, whatever happens, and follows no redirect. `signal` aborts it, unless it moves a
   * branch: then nobody would know its result. An error means that nothing was sent, or that `signal` has
   * fired.
   */
  async once(url: string, request: HttpRequest, headers: HeaderFields, signal: AbortSignal): Promise<HttpAnswer> {
    this.#ensureWanted(signal);
    const cut = new AbortController();
    const end = (): void => cut.abort();
    const whole = setTimeout(end, this.#limits.wholeMs);
    // Upload progress is not observable here, so only the whole limit applies to it.
    let silence = request.body ? undefined : setTimeout(end, this.#limits.silenceMs);
    const moved = (): void => {
      clearTimeout(silence);
      silence = setTimeout(end, this.#limits.silenceMs);
    };
    if (!request.moves) signal.addEventListener('abort', end);
    try {
      const response = await this.#fetch(url, {
        method: request.method,
        headers,
        body: request.body ? new Blob([new Uint8Array(request.body)]) : null,
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        signal: cut.signal,
      });
      moved();
      // A page can only see that there is a redirect.
      if (response.type === 'opaqueredirect') {
        return { tag: 'response', val: { status: 301, headers: {}, body: new Uint8Array() } };
      }
      const body = await read(response, this.#limits.answer, moved);
      if (!body) return { tag: 'too-big' };
      return { tag: 'response', val: { status: response.status, headers: Object.fromEntries(response.headers), body } };
    } catch (error) {
      // Whatever the reason of fetch: the server may have acted, or may not have been reached.
      if (!request.moves) this.#ensureWanted(signal);
      console.debug('gitgate: no answer to', request.method, request.path, error);
      return cut.signal.aborted ? { tag: 'lost', val: 'it took too long' } : { tag: 'lost' };
    } finally {
      clearTimeout(whole);
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      // Aborts the rest of an answer that is too large.
      cut.abort();
    }
  }

  #ensureWanted(signal: AbortSignal): void {
    if (signal.aborted) throw new GitgateError('interrupted', `interrupted while ${this.#server} was asked`);
  }
}
