// From a server that is git's own, and back, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GitServers } from '../src/client/git-server.js';
import type { Sender } from '../src/client/send.js';
import { Senders } from '../src/client/senders.js';
import { Keeping } from '../src/storage/keeping.js';
import { first, origin } from '../src/worker/begin.js';
import { answered, digestOf } from '../src/worker/convert.js';
import type { ShimGiven, ShimNeed, ShimRun } from '../src/worker/shim.js';
import { ADA, repository } from './git-backend.js';
import { load } from './shim.js';
import { Disk } from './storage/disk.js';

/** Everything that a run needs is done, and every question approved. */
async function end(run: ShimRun, sender: Sender): Promise<string> {
  const perform = async (need: ShimNeed): Promise<ShimGiven> => {
    if (need.tag === 'sleep') return { tag: 'sleep' };
    if (need.tag === 'http') return { tag: 'http', val: await sender.send(need.val, new AbortController().signal) };
    const digest = digestOf(need);
    return answered(need.tag, { say: 'approve', ...(digest !== undefined && { digest }) });
  };
  try {
    for (;;) {
      const turn = run.advance();
      if ('done' in turn) {
        return turn.done.tag === 'result' ? turn.done.val.text : assert.fail(JSON.stringify(turn.done));
      }
      run.give(await perform(turn.need));
    }
  } finally {
    run.free();
  }
}

test('a sandbox comes from a git server, and what is approved goes back', async (t) => {
  const { address, git } = await repository(t);
  const asked: string[] = [];
  const credentials = (wanted: string) => {
    asked.push(wanted);
    return ADA;
  };
  const sender = new Senders({ git: new GitServers({ credentials }) });
  const { shim, components } = await load();
  const around = { who: 'ada', isWanted: () => true, doing: () => () => {} };
  const host = new shim.Host(components, around, { create: () => assert.fail('nothing is exported') });
  const storage = new Keeping(new Disk().files());
  await storage.ready();
  // Another spelling of the address.
  const from = { git: `${address}/` };
  const settings = { identity: 'Ada <ada@example.org>', pushTo: 'main', push: 'assisted', from: origin(from) };
  const sandbox = host.create(storage, { name: 'one' }, settings);
  const call = async (tool: string, args: object) =>
    end(sandbox.call({ tool, arguments: JSON.stringify(args), caller: 'agent' }), sender);
  for (const { call, attached } of first(from, host)) await end(sandbox.call(call, attached), sender);
  assert.match(await call('read_file', { path: 'README.md' }), /# Project/);
  await call('write_file', { path: 'a.md', content: 'one\n' });
  await call('git_stage', { files: ['a.md'], message: 'Add a file' });
  await call('git_push', { commitId: 'HEAD' });
  assert.equal(await git('show', 'main:a.md'), 'one\n');
  assert.equal(await git('log', '--format=%s, %an', 'main'), 'Add a file, Ada\nBegin, Ada\n');
  assert.deepEqual(asked, [address]);
  assert.doesNotMatch(sandbox.audit(), /secret/);
});
