// A worker that serves sandboxes over HTTP, as `host-cli/api/openapi.json` describes them.

import { Directory } from './directory.js';
import { shim } from './engine.js';
import type { Env } from './env.js';
import { SandboxObject } from './sandbox.js';
import type { Shares, Visit } from './shim.js';
import { admit } from './body.js';
import { answer, visit } from './talk.js';

export { Directory, SandboxObject };

/** The requests that this worker handles itself: creating sandboxes. */
let shares: Shares | undefined;

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname } = new URL(request.url);
    // Everything outside the interface belongs to the page, if there is one.
    const isOfPage = pathname !== '/openapi.json' && !/^\/(sandboxes|git)(\/|$)/.test(pathname);
    if (isOfPage && env.ASSETS) return env.ASSETS.fetch(request);
    // A worker without an operator token has no operator.
    const asked = visit(request, env, env.OPERATOR_TOKEN || crypto.randomUUID());
    try {
      if (!env.OPERATOR_TOKEN) asked.refuse('failed', 'OPERATOR_TOKEN is not set', 'set the secret OPERATOR_TOKEN');
      return (await served(asked, request, env)) ?? answer(asked);
    } catch (error) {
      console.error('gitgate: a request has failed', error);
      asked.refuse('failed', 'the worker has failed', 'try again');
      return answer(asked);
    } finally {
      asked.free();
    }
  },
} satisfies ExportedHandler<Env>;

/** Answers the request; returns nothing once the visit is over. */
async function served(asked: Visit, request: Request, env: Env): Promise<Response | undefined> {
  if (asked.response) return undefined;
  // A request without any token wakes no object.
  const isAnybody = !request.headers.has('authorization');
  if (asked.sandbox !== undefined && !isAnybody) return ofObject(asked, asked.sandbox, request, env);
  // A request about no sandbox needs no store to be authorized.
  asked.authorize(undefined, Date.now());
  switch (asked.operation) {
    case 'describe':
      asked.describe();
      return undefined;
    case 'listSandboxes':
      if (!asked.response) asked.list(await Directory.of(env.DIRECTORY).all());
      return undefined;
    case 'createSandbox': {
      if (asked.response) return undefined;
      const body = request.clone();
      shares ??= new (shim().Shares)();
      await admit(asked, shares, request);
      return asked.response || asked.sandbox === undefined ? undefined : ofObject(asked, asked.sandbox, body, env);
    }
    default:
      asked.refuse('failed', 'the operation names no sandbox', '');
      return undefined;
  }
}

/** Forwards the request to the sandbox's own object. */
async function ofObject(asked: Visit, name: string, request: Request, env: Env): Promise<Response | undefined> {
  try {
    return await env.SANDBOXES.getByName(name).fetch(request);
  } catch (error) {
    console.error(`the object of '${name}' has not answered`, error);
    const hint = 'look at the sandbox before you ask again: it may be done';
    asked.refuse('failed', 'the sandbox was restarted while it worked on this', hint);
    return undefined;
  }
}
