import { joined } from './bytes.js';
import type { Shares, Visit } from './shim.js';

/** Bytes of the longest body. */
const MOST = 16 << 20;
/** Of a body that is too long, this much is read, so that the client receives the refusal. */
const READ = 4 * MOST;
/** The time for a client to send one, in milliseconds. */
const SENDING = 60_000;

/** Reads the whole body, if there is room for it, and lets the visit admit it. */
export async function admit(visit: Visit, shares: Shares, request: Request): Promise<void> {
  visit.takeBody(shares, request.body ? length(request) : 0);
  if (visit.response) return;
  const read = await body(request);
  if (read === 'too-large') {
    visit.refuse(read, `the body has more than ${MOST >> 20} MiB`, 'send less at a time');
  } else if (read === 'cut') {
    visit.refuse('bad-request', 'the body does not come to its end', 'send it again');
  } else visit.admit(read);
}

/** The length of the body, if the headers state it. */
function length({ headers }: Request): number | undefined {
  const text = headers.get('content-length');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

async function body(request: Request): Promise<Uint8Array | 'too-large' | 'cut'> {
  const { body } = request;
  if (!body) return new Uint8Array();
  if ((length(request) ?? 0) > READ) return 'too-large';
  const reader = body.getReader();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    // After this, reading looks like the end.
    void reader.cancel('it takes too long');
  }, SENDING);
  const parts: Uint8Array[] = [];
  let come = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return 'cut';
      if (done) break;
      come += value.length;
      if (come <= MOST) parts.push(value);
      else parts.length = 0;
      if (come > READ) {
        await reader.cancel('it is too long');
        break;
      }
    }
  } catch {
    return 'cut';
  } finally {
    clearTimeout(late);
  }
  return come > MOST ? 'too-large' : joined(parts);
}
