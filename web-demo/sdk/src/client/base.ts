// Where GitHub's API is, and whether a token may go there.

import { GitgateError } from '../error.js';

const HINT = 'give the base of the API, such as https://api.github.com or https://HOST/api/v3';

/** The base of the API. No error repeats what was given: there may be a password in it. */
export class Base {
  readonly #origin: string;
  /** Without a slash at its end. */
  readonly #prefix: string;

  constructor(text = 'https://api.github.com') {
    if (!URL.canParse(text)) throw new GitgateError('usage', 'the base of GitHub is not an address', HINT);
    const { protocol, hostname, origin, pathname, username, password } = new URL(text);
    // Even an empty query or fragment would swallow the path that follows.
    if (username || password || /[?#]/.test(text)) {
      throw new GitgateError('usage', 'the base of GitHub has more than server and path', HINT);
    }
    if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) {
      throw new GitgateError(
        'refused',
        'the base of GitHub is not https, so the token would travel in the clear',
        HINT,
      );
    }
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/+$/, '');
  }

  /** The address of a request, which is always at the same server. */
  url(path: string): string {
    // GitHub Enterprise Server has REST at /api/v3 and GraphQL at /api/graphql.
    const prefix = path === '/graphql' ? this.#prefix.replace(/\/v3$/, '') : this.#prefix;
    const url = path.startsWith('/') ? `${this.#origin}${prefix}${path}` : '';
    if (!URL.canParse(url) || new URL(url).origin !== this.#origin) {
      throw new GitgateError('refused', 'what was asked for is no path at GitHub');
    }
    return url;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
