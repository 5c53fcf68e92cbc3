// Requests to GitHub are the service worker's to send: this document has no token.

import type { Sender } from 'gitgate';
import { GitgateError, gitgateError } from 'gitgate/extension';

import { ask, within } from '../common/ask.js';

/** A bit more than the service worker gives a request. */
const LONGEST_MS = 260_000;

export const http: Sender = {
  async send(request, signal) {
    const interrupted = (): GitgateError => new GitgateError('interrupted', 'interrupted while GitHub was asked');
    if (signal.aborted) throw interrupted();
    const answered = within(LONGEST_MS, ask('worker', 'http', request)).catch((error: unknown) => {
      // A service worker that was stopped may have sent it, or may not.
      if (gitgateError(error).kind === 'lost') return { tag: 'lost' } as const;
      throw error;
    });
    // What became of a request that moves a branch is waited for.
    if (request.moves) return answered;
    let end = (): void => undefined;
    const off = new Promise<never>((_, reject) => (end = () => reject(interrupted())));
    signal.addEventListener('abort', end);
    try {
      return await Promise.race([answered, off]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  },
};
