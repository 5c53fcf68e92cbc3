// Translates between the platform's requests and a visit.

import { shim } from './engine.js';
import type { Env } from './env.js';
import type { Visit } from './shim.js';

/** A request, with everything that matters before its body is read. */
export function visit(request: Request, env: Env, operator = env.OPERATOR_TOKEN): Visit {
  const { host, pathname, search } = new URL(request.url);
  const headers = [...request.headers].filter(([name]) => name !== 'host');
  // A request through a binding has no header with its destination.
  const all = [['host', host] as const, ...headers];
  const head = {
    method: request.method,
    // Still encoded: the interface decodes it.
    path: pathname,
    query: search.slice(1),
    headers: all.map(([name, value]) => ({ name, value })),
  };
  return new (shim().Visit)(head, operator, env.ALLOW_HOSTS ?? '', env.ALLOW_ORIGINS ?? '');
}

/** The answer, once the visit is over. */
export function answer(visit: Visit): Response {
  const { response } = visit;
  if (!response) throw new Error('the visit is not over');
  const { status, headers, body } = response;
  return new Response(body.length > 0 ? body : null, { status, headers });
}
