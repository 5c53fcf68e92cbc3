// Between the platform's requests and a visit.

import { shim } from './engine.js';
import type { Visit } from './shim.js';

/** A request, as far as it matters before its body is read. */
export function visit(request: Request, operator: string): Visit {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const head = {
    method: request.method,
    // As it was sent: decoding it is the interface's.
    path: new URL(request.url).pathname,
    authorization: header('authorization'),
    contentType: header('content-type'),
    contentEncoding: header('content-encoding'),
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
