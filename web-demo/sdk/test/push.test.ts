// The result of a push, for programs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { pushResult } from '../src/client/push-result.js';
import type { Json } from '../src/tools.js';
import { browser } from './browser.js';
import type { Browser } from './browser.js';
import { Hub } from './hub.js';

let chrome: Browser;
let hub: Hub;

before(async () => void ([chrome, hub] = await Promise.all([browser(), Hub.start()])));
after(async () => {
  hub.close();
  await chrome.close();
});

/** Somebody else adds an empty commit to the branch, and this returns its id. */
async function pushedByOther(): Promise<string> {
  const ask = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${hub.base}/repos/ada/project/git${path}`, init)).json()) as { sha: string };
  };
  const { tree } = (await ask('GET', `/commits/${hub.head}`)) as unknown as { tree: { sha: string } };
  const bob = { name: 'Bob', email: 'bob@example.org', date: '2026-11-24T10:00:00Z' };
  const commit = { tree: tree.sha, parents: [hub.head], author: bob, committer: bob, message: 'Nothing\n' };
  const { sha } = await ask('POST', '/commits', commit);
  await ask('PATCH', '/refs/heads/main', { sha });
  return sha;
}

test('a push that has landed, and one that the target refuses, are both done, and their status says which', async () => {
  const page = await chrome.page(chrome.served.plain);
  await page.evaluate(async (base) => {
    const sandbox = await gitgate.openSandbox({
      name: 'one',
      storage: gitgate.memory(),
      identity: 'Ada <ada@example.org>',
      from: { github: 'ada/project' },
      pushTo: 'main',
      github: { base, token: () => 'hunter2' },
    });
    sandbox.onQuestion(() => ({ say: 'approve' }));
    Object.assign(globalThis, { sandbox });
  }, hub.base);
  const push = (path: string) =>
    page.evaluate(async (path) => {
      await sandbox.call('write_file', { path, content: 'one\n' });
      await sandbox.call('git_stage', { files: [path], message: `Write ${path}` });
      const reply = await sandbox.push();
      return reply.outcome === 'done' ? gitgate.pushResult(reply) : reply.outcome;
    }, path);
  const landed = await push('a.md');
  assert.ok(typeof landed === 'object', JSON.stringify(landed));
  const { commits, hint, ...rest } = landed;
  const place = { target: 'github:ada/project', branch: 'main', commitsOmitted: 0 };
  assert.deepEqual(rest, { ...place, status: 'success', commitSha: hub.head, conflict: null });
  assert.deepEqual(
    commits.map(({ commitSha, subject }) => [commitSha, subject]),
    [[hub.head, 'Write a.md']],
  );
  assert.match(hint, /pushed/);
  const theirs = await pushedByOther();
  const refused = await push('b.md');
  assert.ok(typeof refused === 'object', JSON.stringify(refused));
  assert.deepEqual([refused.status, refused.commits, refused.commitSha], ['conflict', [], null]);
  assert.deepEqual([refused.conflict?.reason, refused.conflict?.targetHead], ['non-fast-forward', theirs]);
  assert.equal(hub.head, theirs, 'nothing has left');
  await page.close();
});

test('a sandbox whose maker names no branch pushes to one of its own', async () => {
  const page = await chrome.page(chrome.served.plain);
  const before = hub.head;
  const seen = await page.evaluate(async (base) => {
    const { openSandbox, memory, pushResult } = gitgate;
    const from = { github: 'ada/project' };
    const github = { base, token: () => 'hunter2' };
    const wrong = await openSandbox({ name: 'x', storage: memory(), pushTo: 'main' }).catch(
      (error: unknown) => String(Reflect.get(Object(error), 'kind')),
    );
    const identity = 'Ada <ada@example.org>';
    const sandbox = await openSandbox({ name: 'My work', storage: memory(), identity, from, github });
    sandbox.onQuestion(() => ({ say: 'approve' }));
    await sandbox.call('write_file', { path: 'own.md', content: 'own\n' });
    await sandbox.call('git_stage', { files: ['own.md'], message: 'Write it' });
    const reply = await sandbox.push();
    return { wrong, landed: reply.outcome === 'done' ? pushResult(reply).branch : reply.outcome };
  }, hub.base);
  assert.deepEqual(seen, { wrong: 'usage', landed: 'agent/My-work' });
  assert.equal(hub.head, before);
  await page.close();
});

test('the reply of another tool is not that of a push', () => {
  const others: Json[] = [null, [], { status: 'clean' }, { status: 'success' }, { status: 'success', target: 1 }];
  for (const structured of others) {
    const reply = { outcome: 'done', text: '', structured, truncated: false } as const;
    assert.throws(() => pushResult(reply), { kind: 'usage', hint: 'give the reply to git_push' });
  }
});
