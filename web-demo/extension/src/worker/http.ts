// Sends what the sandboxes ask of servers.

import { GitHub, GitServers, GitgateError, Senders } from 'gitgate/extension';
import type { HttpAnswer, HttpRequest } from 'gitgate/extension';

import * as store from './store.js';

const LIMITS = {
  /** The most bytes of an answer. As base64 it must fit into one message of at most 64 MiB. */
  answer: 44 << 20,
  /** The browser stops a service worker whose answer takes five minutes. */
  wholeMs: 240_000,
};

export async function http(request: HttpRequest): Promise<HttpAnswer> {
  const { base, token } = await store.access();
  if (request.forge === 'git') await ensureMayReach(request.path);
  const senders = new Senders({
    github: new GitHub({ base, token: () => token, limits: LIMITS }),
    git: new GitServers({ limits: LIMITS, credentials: store.loginAt }),
  });
  return senders.send(request, new AbortController().signal);
}

/** Only a person's click may make the browser ask for the permission, so nothing here asks for it. */
async function ensureMayReach(address: string): Promise<void> {
  // What is no such address, the sender refuses.
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return;
  const { protocol, hostname } = new URL(address);
  if (await chrome.permissions.contains({ origins: [`${protocol}//${hostname}/*`] })) return;
  throw new GitgateError(
    'refused',
    `the browser does not let the extension reach ${hostname}`,
    `allow ${protocol}//${hostname} in the browser's settings of the extension, at "Site access"`,
  );
}
