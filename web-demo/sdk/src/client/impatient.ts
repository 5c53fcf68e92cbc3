// Performs the needs of a sandbox's opening. If a server does not answer, the host retries for seven
// seconds. Nobody has to wait for a server that never answered.

import type { Given, Need } from '../protocol.js';
import type { Perform } from '../rpc.js';

/** As `perform`, but after a lost first request all others are lost at once. */
export function impatient(perform: Perform): Perform {
  let server: 'unknown' | 'there' | 'gone' = 'unknown';
  return async (need: Need, signal: AbortSignal): Promise<Given> => {
    if (server === 'gone' && need.tag === 'http') return { tag: 'http', val: { tag: 'lost' } };
    if (server === 'gone' && need.tag === 'sleep') return { tag: 'sleep' };
    const given = await perform(need, signal);
    if (server === 'unknown' && given.tag === 'http') server = given.val.tag === 'lost' ? 'gone' : 'there';
    return given;
  };
}
