// Signs in with a code that a person types at GitHub. The panel polls the progress, so that this part can
// stop between any two steps.

import { GitgateError } from 'gitgate/extension';

import { GITHUB } from '../common/github.js';
import type { Account } from '../common/kept.js';
import { account, signIn } from './account.js';
import * as store from './store.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The web pages of the server with that API. */
function loginOf(base: string): string {
  const { origin } = new URL(base);
  return origin === GITHUB ? 'https://github.com' : origin;
}

type Fields = { [name: string]: unknown };

async function post(address: string, fields: { [name: string]: string }): Promise<Fields> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
    redirect: 'error',
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(30_000),
  });
  const value: unknown = await response.json();
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new GitgateError('refused', `GitHub answers ${response.status}`, 'try again, or paste a token');
}

const text = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new GitgateError('refused', `GitHub gives no ${name}`, 'look at the client id, or paste a token');
};

/** Bounds for the server's interval: it must neither keep this machine busy nor stop the polling. */
const often = (ms: number): number => Math.min(Math.max(ms, 1000), 60_000);

/** The person reads it beside the address, so it must not contain other words. */
function codeOf(fields: Fields): string {
  const code = text(fields, 'user_code');
  if (/^[\w-]{1,40}$/.test(code)) return code;
  throw new GitgateError('refused', 'GitHub gives a code that is none', 'paste a token');
}

export async function begin(keep: boolean): Promise<Account> {
  const at = await store.begun();
  const { clientId } = await store.options();
  if (!clientId) throw new GitgateError('usage', 'there is no client id', 'set one in the options, or paste a token');
  const login = loginOf(at.base);
  const given = await post(`${login}/login/device/code`, { client_id: clientId, scope: 'repo' });
  const seconds = typeof given.interval === 'number' ? given.interval : 5;
  await store.setDevice(at, {
    code: codeOf(given),
    secret: text(given, 'device_code'),
    // The code is typed at the server's own page, whatever its answer says.
    address: `${login}/login/device`,
    everyMs: often(seconds * 1000),
    keep,
    login,
  });
  return account();
}

export async function poll(): Promise<Account> {
  const at = await store.begun();
  const pending = await store.device();
  if (!pending) return account();
  const { clientId } = await store.options();
  const given = await post(`${pending.login}/login/oauth/access_token`, {
    client_id: clientId,
    device_code: pending.secret,
    grant_type: GRANT,
  });
  if (given.error === 'authorization_pending') return account();
  if (given.error === 'slow_down' && (await store.device())?.secret === pending.secret) {
    await store.setDevice(at, { ...pending, everyMs: often(pending.everyMs + 5000) });
    return account();
  }
  // It was cancelled, or another poll ended it.
  if (!(await store.takeDevice(pending.secret))) return account();
  if (given.error !== undefined) {
    throw new GitgateError('refused', `GitHub says ${String(given.error)}`, 'begin again, or paste a token');
  }
  return signIn(text(given, 'access_token'), pending.keep, at);
}
