// The options of a push or an export that answer questions in advance.

import type { Advance } from '../protocol.js';

type Said = { [K in keyof Advance]: Advance[K] | undefined };

/** Only the given options. Missing ones are not sent. */
export function inAdvance({ digest, revision }: Said): Advance {
  return { ...(digest !== undefined && { digest }), ...(revision && { revision }) };
}
