// Sends requests to the server of a sandbox, with one token. Only this file sees the token.

import { GitgateError, calledOff } from '../error.js';
import { Base } from './base.js';
import { read } from './body.js';
import type { Check } from './check.js';
import { unknown } from './line.js';
import { problem } from './shapes.js';

/** Bytes of the longest answer. */
const LARGEST = 256 << 20;
const NAMING = {
  what: 'the address of the sandbox',
  server: 'the server',
  hint: 'give the address of one sandbox, such as https://HOST/sandboxes/NAME',
};
const LOOK = 'look at the history, and make the call again if it is not there';

/** Sends a request, like `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request. POST may change something. */
export interface Ask {
  method: 'GET' | 'POST';
  /** Relative to the sandbox's URL. */
  path: string;
  body?: object;
  signal: AbortSignal;
}

export interface Said {
  status: number;
  /** The media type, without its parameters. */
  type: string;
  body: Uint8Array;
}

/** Some environments with `fetch` lack or ignore these options of a page. */
function careful(): RequestInit {
  const all: RequestInit = { cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in Request.prototype));
}

/** A name as a path segment. A URL treats some names specially. */
export function part(name: string): string {
  if (name !== '' && name !== '.' && name !== '..') return encodeURIComponent(name);
  throw new GitgateError('usage', `'${name}' names nothing`, 'look at what there is');
}

function mediaType(response: Response): string {
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

export class Server {
  readonly #url: string;
  readonly #base: Base;
  readonly #token: string;
  readonly #fetch: Fetch;
  readonly name: string;

  constructor(url: string, token: string, send: Fetch) {
    this.#url = url;
    this.#base = new Base(url, NAMING);
    this.name = nameOf(this.#base);
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new GitgateError('usage', 'this is no token', 'give a token of the sandbox, as it was shown');
    }
    this.#token = token;
    this.#fetch = send;
  }

  /** The same server with another token. */
  by(token: string): Server {
    return new Server(this.#url, token, this.#fetch);
  }

  /** Sends a request once, and returns the head of the answer. Follows no redirect. */
  async open({ method, path, body, signal }: Ask, accept: string): Promise<Response> {
    const headers: { [name: string]: string } = { accept, authorization: `Bearer ${this.#token}` };
    if (body) headers['content-type'] = 'application/json';
    if (signal.aborted) throw calledOff();
    const url = this.#base.url(path);
    // Call it as a function, not as a method of this object.
    const send = this.#fetch;
    let response: Response;
    try {
      response = await send(url, {
        ...careful(),
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw gone(error, method, signal);
    }
    // A page can only see that there is a redirect.
    if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return response;
    response.body?.cancel().catch(() => undefined);
    throw new GitgateError(
      'refused',
      'the server leads to another address, where the token does not go',
      'give the address of the sandbox itself',
    );
  }

  /** The whole answer. Throws if it is an error, except for the status `besides`. */
  async say(ask: Ask, besides?: number, accept = 'application/json'): Promise<Said> {
    const response = await this.open(ask, accept);
    let body: Uint8Array | undefined;
    try {
      body = await read(response, LARGEST);
    } catch (error) {
      throw gone(error, ask.method, ask.signal);
    }
    if (!body) throw new GitgateError('refused', 'the answer of the server is too large', 'ask for less at a time');
    const said = { status: response.status, type: mediaType(response), body };
    if (response.ok || said.status === besides) return said;
    throw errorIn(said, ask);
  }

  /** The server's answer, if it has the expected shape. */
  async get<T>(ask: Ask, check: Check<T>): Promise<T> {
    return checked(await this.say(ask), ask, check);
  }
}

function nameOf(base: Base): string {
  try {
    const name = decodeURIComponent(base.name);
    if (name !== '') return name;
  } catch {
    // It contains a percent sign without digits.
  }
  throw new GitgateError('usage', 'the address names no sandbox', NAMING.hint);
}

function gone(error: unknown, method: Ask['method'], signal: AbortSignal): GitgateError {
  const isRead = method === 'GET';
  if (signal.aborted) return isRead ? calledOff() : unknown('the call was called off');
  const hint = 'look whether the address is right, the server is there, and it lets this page ask it';
  const lost = isRead
    ? new GitgateError('lost', 'the server does not answer', hint)
    : new GitgateError('lost', 'the server does not answer; what was asked for may have happened', LOOK);
  lost.cause = error;
  return lost;
}

/** An answer that does not follow the interface. */
export function strange({ status }: Said, { method, path }: Ask): GitgateError {
  const what = `the answer to ${method} ${path}, with status ${status}, is not that of gitgate`;
  if (method === 'GET') return new GitgateError('lost', what, 'look whether the address is that of a sandbox');
  return new GitgateError('lost', `${what}; what was asked for may have happened`, LOOK);
}

/** The body of an answer that declares itself as JSON. */
export function json({ type, body }: Said): unknown {
  if (!/^application\/(problem\+)?json$/.test(type)) return undefined;
  try {
    return parsed(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // It is not text.
    return undefined;
  }
}

/** Parses a text as JSON. The result is never `undefined`. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same, if it has the expected shape. */
export function checked<T>(said: Said, ask: Ask, check: Check<T>): T {
  const value = json(said);
  if (check(value)) return value;
  throw strange(said, ask);
}

/** The error in an answer. */
export function errorIn(said: Said, ask: Ask): GitgateError {
  if (said.type !== 'application/problem+json') return strange(said, ask);
  const { kind, detail, hint } = checked(said, ask, problem);
  return new GitgateError(kind, detail, hint);
}
