// A sandbox on an HTTP server, such as `gitgate serve`.

import { GitgateError, told } from '../error.js';
import { GitHub } from './github.js';
import { Limit } from './limit.js';
import { Listening } from './listening.js';
import { Needs } from './needs.js';
import type { Asked } from './needs.js';
import { OverHttp } from './over-http.js';
import type { Tokens } from './over-http.js';
import { Person } from './person.js';
import { Sandbox } from './sandbox.js';
import { Server } from './server.js';
import type { Fetch } from './server.js';
import { tools } from './shapes.js';

export interface ConnectOptions {
  /** Its name here. Default: the end of the URL. */
  name?: string;
  /**
   * A reviewer's or owner's token, besides an agent's token. The SDK makes the user's calls and sends
   * listeners' answers with it. An agent's token permits neither.
   */
  person?: string;
  /** Sends requests instead of this program's `fetch`, for example through a binding of an edge function. */
  fetch?: Fetch;
  /** The limit for a request, not counting a person's time. Default: five minutes. */
  timeoutMs?: number;
  /** Answers questions, like `onQuestion`. */
  question?: Asked;
  /** Cancels the opening. Has no effect once it is open. */
  signal?: AbortSignal;
}

/** A server may take as long as the repository it pushes to. */
const TIMEOUT_MS = 300_000;

/**
 * Opens the sandbox at `url`, such as `https://HOST/sandboxes/NAME`, with one of its tokens. The token
 * determines the permissions and the caller: an agent's token calls as the agent, any other as the user.
 */
export async function connectSandbox(url: string, token: string, options: ConnectOptions = {}): Promise<Sandbox> {
  const { timeoutMs = TIMEOUT_MS, question, signal } = options;
  const server = new Server(url, token, options.fetch ?? ((url, init) => fetch(url, init)));
  const off = new AbortController();
  const limit = new Limit({ signal, timeoutMs });
  const tokens = await limit.hold(rolesOf(server, options.person, off.signal), () => off.abort());
  const needs = new Needs(new GitHub());
  needs.person = question;
  const events = new Listening(tokens.user);
  const line = new OverHttp(
    tokens,
    () => needs.person !== undefined,
    () => events.close(),
  );
  return new Sandbox({ name: options.name ?? server.name, line, needs, events, timeoutMs, alone: (_, work) => work() });
}

/** Checks the tokens' permissions, so that opening detects a wrong address or token. */
async function rolesOf(server: Server, person: string | undefined, signal: AbortSignal): Promise<Tokens> {
  if (await isPerson(server, signal)) {
    if (person === undefined) return { user: server, agent: undefined };
    throw new GitgateError('usage', 'both tokens are those of a person', "give an agent's token first");
  }
  await server.get({ method: 'GET', path: '/tools', signal }, tools);
  if (person === undefined) return { user: undefined, agent: server };
  const user = server.by(person);
  if (await isPerson(user, signal)) return { user, agent: server };
  throw new GitgateError('usage', 'the second token is not that of a reviewer or an owner', 'give such a one');
}

/** Only a person may see the waiting calls. */
async function isPerson(server: Server, signal: AbortSignal): Promise<boolean> {
  try {
    await new Person(server, signal).waiting();
    return true;
  } catch (error) {
    if (told(error).kind === 'forbidden') return false;
    throw error;
  }
}
