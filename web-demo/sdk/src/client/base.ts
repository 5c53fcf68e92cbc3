// The URL of a server's interface, and whether a token may be sent there.

import { GitgateError } from '../error.js';

/** The name of the address in errors. */
export interface Naming {
  what: string;
  server: string;
  hint: string;
}

const GITHUB: Naming = {
  what: 'the base of GitHub',
  server: 'GitHub',
  hint: 'give the base of the API, such as https://api.github.com or https://HOST/api/v3',
};

/** The base URL of an interface. Errors never repeat the input, because it may contain a password. */
export class Base {
  readonly #origin: string;
  /** Without a slash at its end. */
  readonly #prefix: string;
  readonly #naming: Naming;

  constructor(text = 'https://api.github.com', naming = GITHUB) {
    const { what, hint } = naming;
    if (!URL.canParse(text)) throw new GitgateError('usage', `${what} is not an address`, hint);
    const { protocol, hostname, origin, pathname, username, password } = new URL(text);
    // Even an empty query or fragment would swallow the path appended to it.
    if (username || password || /[?#]/.test(text)) {
      throw new GitgateError('usage', `${what} has more than server and path`, hint);
    }
    if (!isProtected({ protocol, hostname })) {
      throw new GitgateError('refused', `${what} is not https, so the token would travel in the clear`, hint);
    }
    this.#naming = naming;
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/+$/, '');
  }

  /** The last name in the URL. */
  get name(): string {
    return this.#prefix.replace(/^.*\//, '');
  }

  /** The URL of a request, always at the same server. */
  url(path: string): string {
    // GitHub Enterprise Server serves REST at /api/v3 and GraphQL at /api/graphql.
    const prefix = path === '/graphql' ? this.#prefix.replace(/\/v3$/, '') : this.#prefix;
    const url = path.startsWith('/') ? `${this.#origin}${prefix}${path}` : '';
    if (!URL.canParse(url) || new URL(url).origin !== this.#origin) {
      throw new GitgateError('refused', `what was asked for is no path at ${this.#naming.server}`);
    }
    return url;
  }
}

/** Whether nobody on the way can read what is sent there. */
export function isProtected({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
