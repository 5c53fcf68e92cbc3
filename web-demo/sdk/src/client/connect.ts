// A sandbox that a server offers over HTTP, such as `gitgate serve`.

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
  /** What it is called here. Default: as the address ends. */
  name?: string;
  /**
   * Besides an agent's token, that of a reviewer or an owner: with it calls are made as the user,
   * and a listener's answers sent. An agent's own token cannot do that.
   */
  person?: string;
  /** Sends requests, if not `fetch` of this program: a binding of an edge function, say. */
  fetch?: Fetch;
  /** How long a request may take, not counting a person. Default: five minutes. */
  timeoutMs?: number;
  /** Answers what is asked. The same as `onQuestion`. */
  question?: Asked;
  /** Calls the opening off. Once it is open it has no part. */
  signal?: AbortSignal;
}

/** Servers work as long as the repository they push to takes. */
const TIMEOUT_MS = 300_000;

/**
 * Opens the sandbox at `url`, such as `https://HOST/sandboxes/NAME`, with a token of it. The token
 * decides what may be asked, and who calls: an agent's as the agent, any other as the user.
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

/** Asks what the tokens may. So a wrong address or token is noticed when it opens. */
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

/** Only a person may see what waits. */
async function isPerson(server: Server, signal: AbortSignal): Promise<boolean> {
  try {
    await new Person(server, signal).waiting();
    return true;
  } catch (error) {
    if (told(error).kind === 'forbidden') return false;
    throw error;
  }
}
