// What the service worker keeps. It may end at any time, so nothing is in its memory alone.

import type { Device, Grant, Kept, Waits } from '../shared/kept.js';

export interface Options {
  base: string;
  clientId: string;
}

/** A sign-in that is under way. */
export interface Pending extends Device {
  /** The secret half of the code. */
  secret: string;
  keep: boolean;
  login: string;
}

interface Stored {
  local: { grants: Grant[]; waits: Waits[]; options: Options; token: string };
  session: { token: string; device: Pending; asking: number; login: string };
}

/** Only this file writes there, so that what is read has the type that was written. */
async function get<A extends keyof Stored, K extends keyof Stored[A] & string>(
  area: A,
  key: K,
): Promise<Stored[A][K] | undefined> {
  const found = await chrome.storage[area].get<Partial<Stored[A]>>(key);
  return found[key];
}

const set = <A extends keyof Stored>(area: A, values: Partial<Stored[A]>): Promise<void> =>
  chrome.storage[area].set(values);

/** Content scripts run beside pages, and have nothing to look for here. */
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

export const options = async (): Promise<Options> =>
  (await get('local', 'options')) ?? { base: 'https://api.github.com', clientId: '' };
export const setOptions = (options: Options): Promise<void> => set('local', { options });

export async function token(): Promise<string | undefined> {
  return (await get('session', 'token')) ?? (await get('local', 'token'));
}

export const isTokenKept = async (): Promise<boolean> => (await get('local', 'token')) !== undefined;
export const login = async (): Promise<string | null> => (await get('session', 'login')) ?? null;

export async function setToken(token: string, login: string | undefined, keep: boolean): Promise<void> {
  await removeToken();
  await (keep ? set('local', { token }) : set('session', { token }));
  if (login !== undefined) await set('session', { login });
}

export async function removeToken(): Promise<void> {
  await chrome.storage.session.remove(['token', 'device', 'login']);
  await chrome.storage.local.remove('token');
}

export const device = (): Promise<Pending | undefined> => get('session', 'device');
export const setDevice = (device: Pending): Promise<void> => set('session', { device });
export const removeDevice = (): Promise<void> => chrome.storage.session.remove('device');
