// Parses a server's report of how a call ended.

import type { Exported, Failed, Reply, Sent } from '../reply.js';
import { checked, errorIn, json } from './server.js';
import type { Ask, Said, Server } from './server.js';
import { done, failed, pending } from './shapes.js';

/** The status of a tool's error, and of some other errors. */
const REFUSED = 422;

export async function replyTo(server: Server, ask: Ask): Promise<Sent<Reply>> {
  return replyIn(await server.say(ask, REFUSED), ask);
}

export function replyIn(said: Said, ask: Ask): Sent<Reply> {
  if (said.status === REFUSED) return failedIn(said, ask);
  if (said.status === 202) return checked(said, ask, pending);
  const { outcome, text, structured, truncated } = checked(said, ask, done);
  return { outcome, text, structured: JSON.stringify(structured), truncated };
}

/** A tool's error has the person's words, or null. Other refusals happen before any tool. */
function failedIn(said: Said, ask: Ask): Failed {
  const problem = json(said);
  if (!failed(problem)) throw errorIn(said, ask);
  const { kind, detail: message, hint, reason, partial } = problem;
  return { outcome: 'failed', kind, message, hint, reason, partial };
}

/** A successful export has nothing but its bytes. */
export async function exportTo(server: Server, ask: Ask): Promise<Sent<Exported>> {
  const said = await server.say(ask, REFUSED, 'application/octet-stream, application/json');
  if (said.status === REFUSED) return failedIn(said, ask);
  if (said.status !== 200 || said.type !== 'application/octet-stream') return checked(said, ask, pending);
  return { outcome: 'done', text: '', structured: 'null', truncated: false, bytes: said.body };
}
