// A repository that git itself serves.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { GitServers } from '../src/client/git-server.js';
import type { GitServersOptions } from '../src/client/git-server.js';
import type { Sender } from '../src/client/send.js';
import { Senders } from '../src/client/senders.js';
import { Keeping } from '../src/storage/keeping.js';
import { first, origin } from '../src/worker/begin.js';
import { answered, digestOf } from '../src/worker/convert.js';
import type { ShimGiven, ShimNeed, ShimRun } from '../src/worker/shim.js';
import { load } from './shim.js';
import { Disk } from './storage/disk.js';

const BACKEND = fileURLToPath(new URL('../../../../tests/xtask/src/bench/backend.mjs', import.meta.url));
const ADA = { name: 'Ada', email: 'ada@example.org' };

/** The address of a folder's repositories. */
async function served(folder: string, t: TestContext): Promise<string> {
  const child = spawn(process.execPath, [BACKEND, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  for await (const line of createInterface({ input: child.stdout })) return `http://127.0.0.1:${line}`;
  return assert.fail('git serves nothing');
}

/** Everything that a run needs is done, and every question approved. */
async function end(run: ShimRun, servers: Sender): Promise<string> {
  const perform = async (need: ShimNeed): Promise<ShimGiven> => {
    if (need.tag === 'sleep') return { tag: 'sleep' };
    if (need.tag === 'http') {
      return { tag: 'http', val: await servers.send(need.val, new AbortController().signal) };
    }
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
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-backend-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: ADA.name, GIT_AUTHOR_EMAIL: ADA.email },
    ...{ GIT_COMMITTER_NAME: ADA.name, GIT_COMMITTER_EMAIL: ADA.email },
  };
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: folder, env })).stdout;
  await mkdir(join(folder, 'work'));
  await git('init', '-q', '-b', 'main', 'work');
  await writeFile(join(folder, 'work/README.md'), '# Project\n');
  await git('-C', 'work', 'add', '.');
  await git('-C', 'work', 'commit', '-qm', 'Begin');
  await git('clone', '-q', '--bare', 'work', 'project.git');
  const address = `${await served(folder, t)}/project.git`;

  // git lets everybody in, so the door is here.
  const asked: string[] = [];
  const options: GitServersOptions = {
    credentials: (wanted) => {
      asked.push(wanted);
      return { username: 'ada', password: 'secret' };
    },
    fetch: async (url, init) => {
      const isAda = new Headers(init.headers).get('authorization') === `Basic ${btoa('ada:secret')}`;
      return isAda ? fetch(url, init) : new Response('', { status: 401 });
    },
  };
  const servers = new Senders({ git: new GitServers(options) });

  const { shim, components } = await load();
  const around = { who: 'ada', isWanted: () => true, doing: () => () => {} };
  const host = new shim.Host(components, around, { create: () => assert.fail('nothing is exported') });
  const storage = new Keeping(new Disk().files());
  await storage.ready();
  // Another spelling of the address.
  const from = { git: `${address}/` };
  const settings = { identity: `${ADA.name} <${ADA.email}>`, pushTo: 'main', push: 'assisted', from: origin(from) };
  const sandbox = host.create(storage, { name: 'one' }, settings);
  const call = async (tool: string, args: object, caller: 'agent' | 'user' = 'agent') =>
    end(sandbox.call({ tool, arguments: JSON.stringify(args), caller }), servers);
  for (const { call, attached } of first(from, host)) await end(sandbox.call(call, attached), servers);
  assert.match(await call('read_file', { path: 'README.md' }), /# Project/);
  await call('write_file', { path: 'a.md', content: 'one\n' });
  await call('git_stage', { files: ['a.md'], message: 'Add a file' });
  await call('git_push', { commitId: 'HEAD' });
  assert.equal(await git('-C', 'project.git', 'show', 'main:a.md'), 'one\n');
  assert.match(await git('-C', 'project.git', 'log', '--format=%s %an', 'main'), /^Add a file Ada\nBegin Ada\n$/);
  assert.deepEqual(asked, [address]);
  assert.doesNotMatch(sandbox.audit(), /secret/);
});
