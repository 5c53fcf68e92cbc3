// Between the platform's requests and a visit.

import { shim } from './engine.js';
import type { Visit } from './shim.js';

/** A request, as far as it matters before its body is read. */
export function visit(request: Request, operator: string): Visit {
  const head = {
    method: request.method,
    // As it was sent: decoding it is the interface's.
    path: new URL(request.url).pathname,
    headers: [...request.headers].map(([name, value]) => ({ name, value })),
  };
  return new (shim().Visit)(head, operator);
}

/** The answer, once the visit is over. */
export function answer(visit: Visit): Response {
  const { response } = visit;
  if (!response) throw new Error('the visit is not over');
  const { status, headers, body } = response;
  return new Response(body.length > 0 ? body : null, { status, headers });
}
