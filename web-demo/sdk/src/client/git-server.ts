// Sends requests to git servers, by git's smart protocol over HTTP. Only this file sees their passwords.

import { GitgateError } from '../error.js';
import type { HttpAnswer, HttpRequest } from '../http.js';
import { isProtected } from './base.js';
import { Sending } from './send.js';
import type { HeaderFields, Sender, SendingOptions } from './send.js';

export interface Credentials {
  username: string;
  /** Or a token that the server takes in its place. */
  password: string;
}

export interface GitServersOptions extends SendingOptions {
  /**
   * Returns who signs in at the repository of that address. It is called when the server asks for it, and what it
   * returns is kept in memory for that repository. Without it, only public repositories are readable.
   */
  credentials?: (address: string) => Credentials | undefined | Promise<Credentials | undefined>;
}

export class GitServers implements Sender {
  readonly #credentials: GitServersOptions['credentials'];
  readonly #sending: Sending;
  /** The `authorization` that a repository's server has asked for, by the repository's address. */
  readonly #kept = new Map<string, string>();

  constructor({ credentials, ...sending }: GitServersOptions = {}) {
    this.#credentials = credentials;
    this.#sending = new Sending('the git server', sending);
  }

  /**
   * Sends `request` as `Sending.once` does, and once more with credentials if the server refuses it for the lack of
   * them: a server that refuses has done nothing.
   */
  async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { address, service } = read(request);
    const headers: HeaderFields = { accept: '*/*' };
    if (request.method === 'POST') {
      headers.accept = `application/x-${service}-result`;
      headers['content-type'] = `application/x-${service}-request`;
    }
    if (service === 'git-upload-pack') headers['git-protocol'] = 'version=2';
    const once = (authorization: string | undefined): Promise<HttpAnswer> =>
      this.#sending.once(request.path, request, { ...headers, ...(authorization && { authorization }) }, signal);

    const kept = this.#kept.get(address);
    const answer = await once(kept);
    if (answer.tag !== 'response' || answer.val.status !== 401) return answer;
    // They are not valid any more, so the next request asks anew.
    if (kept !== undefined) this.#kept.delete(address);
    const given = kept === undefined && isProtected(new URL(address)) && (await this.#credentials?.(address));
    if (!given) return answer;
    const authorization = basic(given);
    const signedIn = await once(authorization);
    if (signedIn.tag === 'response' && signedIn.val.status === 200) this.#kept.set(address, authorization);
    return signedIn;
  }
}

/** The whole of a request's path: the repository's address, and one of the two requests to a service. */
const PATH = {
  GET: /^(?<address>https?:\/\/[^?#]+)\/info\/refs\?service=(?<service>git-(?:upload|receive)-pack)$/,
  POST: /^(?<address>https?:\/\/[^?#]+)\/(?<service>git-(?:upload|receive)-pack)$/,
};

function read({ method, path }: HttpRequest): { address: string; service: string } {
  if (!/^https?:\/\//.test(path)) {
    throw new GitgateError('usage', 'ssh cannot be reached from here', "use the repository's https address");
  }
  const { address, service } = PATH[method === 'GET' ? 'GET' : 'POST'].exec(path)?.groups ?? {};
  if (address === undefined || service === undefined || !URL.canParse(address)) throw strange();
  const { username, password } = new URL(address);
  if (username || password) throw strange();
  return { address, service };
}

const strange = (): GitgateError => new GitgateError('refused', 'what was asked for is no request to a git server');

/** By RFC 7617, which has no colon in a name. */
function basic({ username, password }: Credentials): string {
  if (username.includes(':')) {
    throw new GitgateError('usage', 'the user name for the git server has a colon', 'give one without');
  }
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
