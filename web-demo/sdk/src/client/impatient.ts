// What the opening of a sandbox needs. The host asks again for seven seconds where a server has not
// answered. For one that has never answered nobody needs to wait: it is not there.

import type { Given, Need } from '../protocol.js';
import type { Perform } from '../rpc.js';

/** The same, but once the first request is lost the others are lost as well, and at once. */
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
