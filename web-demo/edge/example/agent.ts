// An edge function as its users write one. It plays an agent on a sandbox: it reads, edits, stages and
// proposes, and a person decides elsewhere. An agent's token permits nothing else.
//
// Its binding GITGATE is the worker with the sandboxes.

import { GitgateError, connectSandbox } from 'gitgate';
import type { Reply } from 'gitgate';

interface Env {
  GITGATE: Fetcher;
  /** The name of the sandbox. */
  SANDBOX: string;
  /** An agent's token for it. A secret. */
  AGENT_TOKEN: string;
}

export default {
  async fetch(request, env): Promise<Response> {
    const line = (await request.text()).trim();
    if (!line) return new Response('send the line to add\n', { status: 400 });
    const sandbox = await connectSandbox(`https://gitgate/sandboxes/${env.SANDBOX}`, env.AGENT_TOKEN, {
      fetch: (url, init) => env.GITGATE.fetch(url, init),
    });
    const path = 'README.md';
    const { structured } = done(await sandbox.call('read_file', { path }));
    done(await sandbox.call('write_file', { path, content: `${structured.content}${line}\n` }));
    done(await sandbox.call('git_stage', { files: [path], message: `Add a line\n\n${line}` }));
    const push = await sandbox.call('git_push', { commitId: 'HEAD' }, { wait: 'pending' });
    return Response.json({ outcome: push.outcome, ...(push.outcome === 'pending' && { reason: push.reason }) });
  },
} satisfies ExportedHandler<Env>;

/** The tool's result, if it ran to its end. */
function done<S>(reply: Reply<S>): Reply<S> & { outcome: 'done' } {
  if (reply.outcome === 'done') return reply;
  const why = reply.outcome === 'failed' ? reply.message : reply.reason;
  throw new GitgateError('not-approved', why, reply.hint);
}
