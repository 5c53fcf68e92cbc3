// The side panel decides about agents' calls, by the ids of the waiting calls.

import type { Answer, Question, Sandbox } from 'gitgate';

/** Holds a question until somebody decides, or the call stops waiting. */
export const inPanel =
  (sandbox: Sandbox) =>
  ({ id }: Question, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve) => {
      const end = (): void => {
        remove();
        resolve({ say: 'later' });
      };
      const remove = sandbox.on('waiting', (waiting) => {
        if (!waiting.some((one) => one.id === id)) end();
      });
      signal.addEventListener('abort', end);
      // The user's own call does not wait, so the panel cannot decide about it.
      if (id === null || signal.aborted) end();
    });
