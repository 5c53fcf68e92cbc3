// Sandboxes on a server. All data about them is in memory of this page: their tokens are never stored.

import { signal } from '@preact/signals';
import { GitgateError, connectSandbox } from 'gitgate';
import type { Sandbox } from 'gitgate';

export interface Remote {
  url: string;
  token: string;
}

/** By their names on this page. */
export const remotes = signal(new Map<string, Remote>());

export function add(name: string, remote: Remote): void {
  remotes.value = new Map(remotes.value).set(name, remote);
}

export function leaveOut(name: string): void {
  const others = new Map(remotes.value);
  others.delete(name);
  remotes.value = others;
}

/** The address of a sandbox, if it is not in this browser. */
export function hostOf(name: string): string | undefined {
  const { url = '' } = remotes.value.get(name) ?? {};
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** The last part of an address, the server's name for a sandbox. */
export const lastPart = (url: string): string => /([^/]+)\/*$/.exec(url.trim())?.[1] ?? '';

/** Detects whether the page's own policy blocks the requests of `work`. */
async function watched<T>(url: string, work: () => Promise<T>): Promise<T> {
  let isForbidden = false;
  const look = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    const isThere = URL.canParse(blockedURI) && new URL(blockedURI).origin === new URL(url).origin;
    if (effectiveDirective === 'connect-src' && isThere) isForbidden = true;
  };
  document.addEventListener('securitypolicyviolation', look);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitgateError) || error.kind !== 'lost') throw error;
    // The browser reports it after the request fails.
    await new Promise((resolve) => setTimeout(resolve));
    const { origin, host } = new URL(url);
    if (isForbidden) {
      const hint = 'its content security policy lets it ask https, its own server, localhost and 127.0.0.1 only';
      throw new GitgateError('refused', `this page may not ask ${host}`, hint);
    }
    if (origin === location.origin) throw error;
    const hint = `look whether the server is there. It must allow pages of ${location.origin} to ask it (CORS), or serve this page`;
    throw new GitgateError(error.kind, `${host} does not answer this page`, hint);
  } finally {
    document.removeEventListener('securitypolicyviolation', look);
  }
}

/** Opens it for a person. An agent's token permits too little for a page. */
export function connect(name: string, { url, token }: Remote, signal: AbortSignal): Promise<Sandbox> {
  return watched(url, async () => {
    const one = await connectSandbox(url, token, { name, signal });
    try {
      await one.waiting();
      return one;
    } catch (error) {
      await one.close();
      if (!(error instanceof GitgateError) || error.kind !== 'forbidden') throw error;
      const hint = 'give the token of a reviewer or an owner';
      throw new GitgateError('usage', "this is an agent's token, and a person decides here", hint);
    }
  });
}
