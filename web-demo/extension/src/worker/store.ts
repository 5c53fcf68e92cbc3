// The service worker's storage. It may stop at any time, so nothing is only in its memory.

import { GitgateError } from 'gitgate/extension';
import type { Credentials } from 'gitgate/extension';

import { GITHUB } from '../common/github.js';
import type { Device, Grant, Kept, Waits } from '../common/kept.js';

export interface Options {
  base: string;
  clientId: string;
}

/** A sign-in in progress. */
interface Pending extends Device {
  /** The secret half of the code. */
  secret: string;
  keep: boolean;
  login: string;
}

/** By the address of the repository. */
interface Logins {
  [address: string]: Credentials;
}

interface Stored {
  local: { grants: Grant[]; waits: Waits[]; options: Options; token: string };
  session: { token: string; device: Pending; asking: number; login: string; turn: string; logins: Logins };
}

/** Only this file writes there, so values have the types that were written. */
async function get<A extends keyof Stored, K extends keyof Stored[A] & string>(
  area: A,
  key: K,
): Promise<Stored[A][K] | undefined> {
  const found = await chrome.storage[area].get<Partial<Stored[A]>>(key);
  return found[key];
}

const set = <A extends keyof Stored>(area: A, values: Partial<Stored[A]>): Promise<void> =>
  chrome.storage[area].set(values);

/** Content scripts run beside pages, and must not read this storage. */
export async function closeToPages(): Promise<void> {
  for (const area of ['local', 'session'] as const) {
    await chrome.storage[area].setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' });
  }
}

export async function kept(): Promise<Kept> {
  return { grants: (await get('local', 'grants')) ?? [], waits: (await get('local', 'waits')) ?? [] };
}

export const keep = (values: Kept): Promise<void> => set('local', values);

export const asking = async (): Promise<number> => (await get('session', 'asking')) ?? 0;
export const setAsking = (asking: number): Promise<void> => set('session', { asking });

export const options = async (): Promise<Options> => (await get('local', 'options')) ?? { base: GITHUB, clientId: '' };
/** A token belongs to one server. */
export const setOptions = (wanted: Options): Promise<void> =>
  alone(async () => {
    if (wanted.base !== (await options()).base) await forget();
    await set('local', { options: wanted });
  });

export async function token(): Promise<string | undefined> {
  return (await get('session', 'token')) ?? (await get('local', 'token'));
}

/** A sign-in that started at that server. */
export interface Begun {
  base: string;
  turn: string | undefined;
}

/** A token and its server change together, and are read together. */
const alone = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request('gitgate:account', work);

export const begun = (): Promise<Begun> =>
  alone(async () => ({ base: (await options()).base, turn: await get('session', 'turn') }));

/** The server, and the token for it. */
export const access = (): Promise<{ base: string; token: string | undefined }> =>
  alone(async () => ({ base: (await options()).base, token: await token() }));

/** Ends the sign-in if the person signed out or changed the server since it started. */
const goOn = ({ turn }: Begun, work: () => Promise<void>): Promise<void> =>
  alone(async () => {
    if ((await get('session', 'turn')) === turn) return work();
    throw new GitgateError('interrupted', 'the sign-in was called off', 'begin again');
  });

export const isTokenKept = async (): Promise<boolean> => (await get('local', 'token')) !== undefined;
export const login = async (): Promise<string | null> => (await get('session', 'login')) ?? null;

export const setToken = (at: Begun, token: string, login: string | undefined, keep: boolean): Promise<void> =>
  goOn(at, async () => {
    await forget();
    await (keep ? set('local', { token }) : set('session', { token }));
    if (login !== undefined) await set('session', { login });
  });

export const removeToken = (): Promise<void> => alone(forget);

async function forget(): Promise<void> {
  await set('session', { turn: crypto.randomUUID() });
  await chrome.storage.session.remove(['token', 'device', 'login']);
  await chrome.storage.local.remove('token');
}

export const device = (): Promise<Pending | undefined> => get('session', 'device');
export const setDevice = (at: Begun, device: Pending): Promise<void> => goOn(at, () => set('session', { device }));
/** Stops waiting for that code. Returns whether anything still waited for it. */
export const takeDevice = (secret: string): Promise<boolean> =>
  alone(async () => {
    if ((await device())?.secret !== secret) return false;
    await chrome.storage.session.remove('device');
    return true;
  });

export const loginAt = async (address: string): Promise<Credentials | undefined> =>
  (await get('session', 'logins'))?.[address];

/** Until the browser is closed. */
export const setLogin = (address: string, credentials: Credentials): Promise<void> =>
  alone(async () => set('session', { logins: { ...(await get('session', 'logins')), [address]: credentials } }));
