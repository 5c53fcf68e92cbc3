// The service worker sends the requests to servers: this document has no token.

import type { Sender } from 'gitgate';
import { GitgateError, gitgateError } from 'gitgate/extension';

import { ask, within } from '../common/ask.js';

/** A bit more than the service worker's own limit. */
const LONGEST_MS = 260_000;

export const http: Sender = {
  async send(request, signal) {
    const interrupted = (): GitgateError => new GitgateError('interrupted', 'interrupted while the server was asked');
    if (signal.aborted) throw interrupted();
    const answered = within(LONGEST_MS, ask('worker', 'http', request)).catch((error: unknown) => {
      // A stopped service worker may or may not have sent it.
      if (gitgateError(error).kind === 'lost') return { tag: 'lost' } as const;
      throw error;
    });
    // Wait for the result of a request that moves a branch.
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
