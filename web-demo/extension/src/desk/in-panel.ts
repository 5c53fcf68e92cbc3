// What the calls of agents ask is decided about in the side panel, by the id under which it waits.

import type { Answer, Question, Sandbox } from 'gitgate';

/** Holds a question until it is decided about, or waits no longer. */
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
      // A call of the user waits nowhere, so the panel cannot decide about it.
      if (id === null || signal.aborted) end();
    });
