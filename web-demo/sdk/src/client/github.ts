// Sends requests to GitHub. Only this file sees the token.

import { GitgateError } from '../error.js';
import type { HttpAnswer, HttpRequest } from '../http.js';
import { Base } from './base.js';
import { Sending } from './send.js';
import type { HeaderFields, Sender, SendingOptions } from './send.js';

export interface GitHubOptions extends SendingOptions {
  /** Default: https://api.github.com. */
  base?: string;
  /** Returns the token, and is called for each request. Without one, only public data is readable. */
  token?: () => string | undefined | Promise<string | undefined>;
}

export class GitHub implements Sender {
  readonly #base: Base;
  readonly #token: GitHubOptions['token'];
  readonly #sending: Sending;

  constructor({ base, token, ...sending }: GitHubOptions = {}) {
    this.#base = new Base(base);
    this.#token = token;
    this.#sending = new Sending('GitHub', sending);
  }

  /** Sends `request` as `Sending.once` does. */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const url = this.#base.url(request.path);
    const headers: HeaderFields = { accept: 'application/vnd.github+json' };
    if (request.body) headers['content-type'] = 'application/json';
    const token = await this.#token?.();
    if (token) headers.authorization = `Bearer ${token}`;
    else if (request.method !== 'GET') {
      throw new GitgateError('usage', 'there is no token for GitHub', 'give one that may write there, then push again');
    }
    return this.#sending.once(url, request, headers, signal);
  }
}
