// The person's GitHub account. The token stays in this part of the extension.

import { Base, GitHub, GitgateError } from 'gitgate/extension';

import { GITHUB } from '../common/github.js';
import type { Account } from '../common/kept.js';
import * as store from './store.js';

export async function account(): Promise<Account> {
  const { base, clientId } = await store.options();
  const pending = await store.device();
  return {
    isSignedIn: (await store.token()) !== undefined,
    login: await store.login(),
    isKept: await store.isTokenKept(),
    base,
    clientId,
    device: pending ? { code: pending.code, address: pending.address, everyMs: pending.everyMs } : null,
  };
}

/** A token belongs to one server: changing the address signs the person out. */
export async function setOptions({ base, clientId }: store.Options): Promise<Account> {
  const wanted = { base: base.trim() || GITHUB, clientId: clientId.trim() };
  // Throws if a token may not be sent there.
  new Base(wanted.base);
  await store.setOptions(wanted);
  return account();
}

/** `at` is the server where the sign-in started: no other server gets the token. */
export async function signIn(given: string, keep: boolean, at: store.Begun): Promise<Account> {
  const token = given.trim();
  if (!/^[\x21-\x7e]{1,1000}$/.test(token))
    throw new GitgateError('usage', 'this is not a token', 'paste it as GitHub shows it');
  const answer = await new GitHub({ base: at.base, token: () => token }).send(
    { forge: 'github', method: 'GET', path: '/user', moves: false },
    new AbortController().signal,
  );
  if (answer.tag !== 'response') {
    throw new GitgateError('refused', 'GitHub does not answer', 'look at its address, and at the network');
  }
  if (answer.val.status === 401) {
    throw new GitgateError('refused', 'GitHub does not accept this token', 'make a new one, and paste it whole');
  }
  await store.setToken(at, token, answer.val.status === 200 ? loginOf(answer.val.body) : undefined, keep);
  return account();
}

function loginOf(body: Uint8Array): string | undefined {
  const user: unknown = JSON.parse(new TextDecoder().decode(body));
  const login: unknown = typeof user === 'object' && user !== null ? Reflect.get(user, 'login') : undefined;
  // It is displayed unescaped, so it must be a name.
  return typeof login === 'string' && /^[\w.-]{1,100}(\[bot\])?$/.test(login) ? login : undefined;
}

export async function signOut(): Promise<Account> {
  await store.removeToken();
  return account();
}
