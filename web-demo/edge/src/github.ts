import { GitHub } from 'gitgate/edge';

import type { Env } from './env.js';

/** Bytes of the longest answer: all of an object's memory is 128 MB. */
const ANSWER = 24 << 20;

/** Sends requests to GitHub with the operator's token. */
export function github(env: Env): GitHub {
  return new GitHub({
    ...(env.GITHUB_API_URL !== undefined && { base: env.GITHUB_API_URL }),
    token: () => env.GITHUB_TOKEN,
    limits: { answer: ANSWER, wholeMs: 120_000 },
    // There are no cookies, referrers or caches here, and no way to say so. GitHub wants to know who asks.
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
