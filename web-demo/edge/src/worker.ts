// A worker that serves sandboxes over HTTP, as `host-cli/api/openapi.json` describes them.

import { Directory } from './directory.js';
import type { Env } from './env.js';
import { SandboxObject } from './sandbox.js';
import type { Visit } from './shim.js';
import { admit } from './body.js';
import { answer, visit } from './talk.js';

export { Directory, SandboxObject };

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname } = new URL(request.url);
    // Whatever is no part of the interface is the page's, where there is one.
    const isOfPage = pathname !== '/openapi.json' && !/^\/sandboxes(\/|$)/.test(pathname);
    if (isOfPage && env.ASSETS) return env.ASSETS.fetch(request);
    if (!env.OPERATOR_TOKEN) return new Response('OPERATOR_TOKEN is not set\n', { status: 503 });
    const asked = visit(request, env.OPERATOR_TOKEN);
    try {
      return (await served(asked, request, env)) ?? answer(asked);
    } finally {
      asked.free();
    }
  },
} satisfies ExportedHandler<Env>;

/** Answers the request, or nothing once the visit is over. */
async function served(asked: Visit, request: Request, env: Env): Promise<Response | undefined> {
  if (asked.response) return undefined;
  if (asked.sandbox !== undefined) return ofObject(asked, asked.sandbox, request, env);
  // What is about no sandbox needs no store to know who may.
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
      await admit(asked, request);
      return asked.response || asked.sandbox === undefined ? undefined : ofObject(asked, asked.sandbox, body, env);
    }
    default:
      asked.refuse('failed', 'the operation names no sandbox', '');
      return undefined;
  }
}

/** Has the sandbox's own object answer. */
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
