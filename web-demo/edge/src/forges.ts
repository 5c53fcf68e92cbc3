import { GitHub, GitServers, GitgateError, Senders } from 'gitgate/edge';
import type { Limits, Sender, SendingOptions } from 'gitgate/edge';

import { credentials } from './credentials.js';
import type { Env } from './env.js';

/** Bytes of the longest answer: an object has 128 MB of memory. */
const ANSWER = 24 << 20;

/** Sends requests to the servers of all forges, with the operator's token and credentials. */
export function forges(env: Env): Sender {
  return new Senders({
    github: new GitHub({
      ...(env.GITHUB_API_URL !== undefined && { base: env.GITHUB_API_URL }),
      token: () => env.GITHUB_TOKEN,
      // GitHub requires a user agent.
      ...sending('gitgate', silence(env.GITHUB_TIMEOUT)),
    }),
    git: new GitServers({
      credentials: credentials(env.GIT_CREDENTIALS),
      // Some servers answer a browser in place of git.
      ...sending('git/2 gitgate'),
    }),
  });
}

function sending(agent: string, limits: Partial<Limits> = {}): SendingOptions {
  return {
    limits: { answer: ANSWER, wholeMs: 120_000, ...limits },
    // The platform has no cookies, referrers or caches, and no options for them.
    fetch: (url, { method, headers, body, signal }) =>
      fetch(url, {
        ...(method !== undefined && { method }),
        headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': agent },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        ...(signal && { signal }),
      }),
  };
}

function silence(set: string | undefined): { silenceMs?: number } {
  if (set === undefined) return {};
  const seconds = /^\d{1,3}$/.test(set) ? Number(set) : 0;
  if (seconds >= 1 && seconds <= 600) return { silenceMs: seconds * 1000 };
  const hint = 'set it to such a number, or unset it';
  throw new GitgateError('usage', 'GITHUB_TIMEOUT is no number of seconds from 1 to 600', hint);
}
