import { GitHub, GitgateError } from 'gitgate/edge';

import type { Env } from './env.js';

/** Bytes of the longest answer: an object has 128 MB of memory. */
const ANSWER = 24 << 20;

/** Sends requests to GitHub with the operator's token. */
export function github(env: Env): GitHub {
  return new GitHub({
    ...(env.GITHUB_API_URL !== undefined && { base: env.GITHUB_API_URL }),
    token: () => env.GITHUB_TOKEN,
    limits: { answer: ANSWER, wholeMs: 120_000, ...silence(env.GITHUB_TIMEOUT) },
    // The platform has no cookies, referrers or caches, and no options for them. GitHub requires a user
    // agent.
    fetch: (url, { method, headers, body, signal }) =>
      fetch(url, {
        ...(method !== undefined && { method }),
        headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'gitgate' },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        ...(signal && { signal }),
      }),
  });
}

function silence(set: string | undefined): { silenceMs?: number } {
  if (set === undefined) return {};
  const seconds = /^\d{1,3}$/.test(set) ? Number(set) : 0;
  if (seconds >= 1 && seconds <= 600) return { silenceMs: seconds * 1000 };
  const hint = 'set it to such a number, or unset it';
  throw new GitgateError('usage', 'GITHUB_TIMEOUT is no number of seconds from 1 to 600', hint);
}
