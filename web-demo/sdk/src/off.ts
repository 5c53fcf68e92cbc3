import { calledOff } from './error.js';
import type { GitgateError } from './error.js';

/** Rejects once `signal` fires, and never resolves. */
export function whenOff(signal: AbortSignal, error: () => GitgateError = calledOff): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(error());
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
