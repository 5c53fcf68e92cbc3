// What is said about a push or an export before anybody is asked.

import type { Advance } from '../protocol.js';

type Said = { [K in keyof Advance]: Advance[K] | undefined };

/** Only what is said: what is not said is not sent. */
export function inAdvance({ digest, revision }: Said): Advance {
  return { ...(digest !== undefined && { digest }), ...(revision && { revision }) };
}
