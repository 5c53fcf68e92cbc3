// The same `Sandbox` over HTTP, against `gitgate serve`.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { connectSandbox } from '../src/client/connect.js';
import { pushResult } from '../src/client/push-result.js';
import type { Sandbox } from '../src/client/sandbox.js';
import type { Answer, PushQuestion, Question } from '../src/question.js';
import type { Reply } from '../src/reply.js';
import { browser } from './browser.js';
import { GITGATE, Gitgate, skip } from './gitgate.js';

let served: Gitgate;
let owner: Sandbox;
let reviewer: Sandbox;
let agent: Sandbox;

before(async () => {
  if (GITGATE === undefined) return;
  served = await Gitgate.start();
  const as = async (role: 'owner' | 'reviewer' | 'agent') => connectSandbox(served.url(), await served.token(role));
  [owner, reviewer, agent] = await Promise.all([as('owner'), as('reviewer'), as('agent')]);
});

after(() => served?.close());

async function stage(sandbox: Sandbox, path: string, content = 'one\n'): Promise<void> {
  for (const reply of [
    await sandbox.call('write_file', { path, content }),
    await sandbox.call('git_stage', { files: [path], message: `Write ${path}` }),
  ]) {
    assert.equal(reply.outcome, 'done', JSON.stringify(reply));
  }
}

const HEAD = { commitId: 'HEAD' };

/** The waiting push of HEAD. An edited push also waits under its commit's name. */
async function ofHead(sandbox: Sandbox): Promise<string | undefined> {
  return (await sandbox.waiting()).find((one) => one.arguments === JSON.stringify(HEAD))?.id;
}

function push(question: Question): PushQuestion {
  assert.ok(question.about === 'push');
  return question.push;
}

test('what an agent proposes waits, is reviewed, and lands once a person approves it', { skip }, async () => {
  await stage(agent, 'a.md');
  const pending = await agent.call('git_push', HEAD);
  assert.ok(pending.outcome === 'pending' && pending.waits, JSON.stringify(pending));
  assert.equal(pending.push?.digest, null);
  const [first] = await reviewer.waiting();
  assert.equal(first?.tool, 'git_push');
  const asked = push(await reviewer.review(first.id));
  assert.ok(asked.push);
  const put = await reviewer.decide(first.id, { say: 'later', reason: 'after lunch' });
  assert.ok(put?.outcome === 'pending' && put.reason === 'after lunch' && put.push?.digest === asked.push.digest);
  await assert.rejects(reviewer.decide(first.id, { say: 'approve' }), { kind: 'usage' });
  const other = await reviewer.decide(first.id, { say: 'approve', digest: asked.push.digest.replaceAll(/./g, '0') });
  assert.equal(other?.outcome, 'pending', 'it is another push');
  const landed = await reviewer.decide(first.id, { say: 'approve', digest: asked.push.digest });
  assert.ok(landed?.outcome === 'done', JSON.stringify(landed));
  assert.equal(pushResult(landed).status, 'success');
  assert.equal(served.git('log', '-1', '--format=%s'), 'Write a.md');
  assert.deepEqual(await agent.call('git_push', HEAD), landed, 'the agent reads what has landed');
  assert.deepEqual(await reviewer.waiting(), []);
  await assert.rejects(reviewer.review(first.id), { kind: 'not-found' });
  assert.ok((await owner.decisions()).length > 0);
});

test('an agent reads why a person has rejected its push', { skip }, async () => {
  await stage(agent, 'b.md');
  await agent.call('git_push', HEAD);
  const [first] = await reviewer.waiting();
  await reviewer.reject(first?.id ?? '', 'say why');
  const told = await agent.call('git_push', HEAD);
  assert.ok(told.outcome === 'failed' && told.kind === 'rejected' && told.reason === 'say why', JSON.stringify(told));
});

test('an agent with a person beside it is asked about, as in a page', { skip }, async () => {
  const [token, person] = await Promise.all([served.token('agent'), served.token('reviewer')]);
  const sandbox = await connectSandbox(served.url(), token, { person });
  await stage(sandbox, 'c.md');
  const answers: Answer[] = [
    { say: 'later', reason: 'not now' },
    { say: 'reject', reason: 'another message' },
    { say: 'revise', revision: { message: 'Write c, and why\n' } },
    { say: 'approve' },
  ];
  const asked: Question[] = [];
  sandbox.onQuestion((question) => {
    asked.push(question);
    return answers.shift();
  });
  const later = await sandbox.call('git_push', HEAD);
  assert.ok(later.outcome === 'pending' && later.reason === 'not now' && later.push?.digest === null);
  const rejected = await sandbox.call('git_push', HEAD);
  assert.ok(rejected.outcome === 'failed' && rejected.reason === 'another message', JSON.stringify(rejected));
  const pending = await sandbox.call('git_push', HEAD, { wait: 'pending' });
  assert.equal(pending.outcome, 'pending', 'a rejection is told once');
  const landed = await sandbox.call('git_push', HEAD);
  assert.ok(landed.outcome === 'done', JSON.stringify(landed));
  assert.equal(pushResult(landed).status, 'success');
  assert.deepEqual(answers, []);
  const [before, after] = asked.slice(-2).map((question) => push(question).push?.review.commits.at(-1)?.message);
  assert.deepEqual([before, after], ['Write c.md\n', 'Write c, and why\n']);
  assert.equal(served.git('log', '-1', '--format=%B'), 'Write c, and why');
  assert.ok(asked.every(({ id }) => id !== null));
  assert.equal(await ofHead(sandbox), undefined);
  await sandbox.close();
  await assert.rejects(sandbox.tools(), { kind: 'interrupted', hint: 'open it again' });
});

test('a person pushes what they were shown, edited or not, and nothing else', { skip }, async () => {
  await stage(agent, 'd.md');
  const nobody = await reviewer.push();
  assert.ok(nobody.outcome === 'pending' && nobody.push?.digest, JSON.stringify(nobody));
  const before = served.git('rev-parse', 'main');
  const answers: Answer[] = [{ say: 'reject', reason: 'no' }, { say: 'later' }];
  const asked: Question[] = [];
  const remove = reviewer.onQuestion((question) => {
    asked.push(question);
    return answers.shift();
  });
  const rejected = await reviewer.push();
  assert.ok(rejected.outcome === 'failed' && rejected.reason === 'no' && rejected.kind === 'rejected');
  assert.equal((await reviewer.push()).outcome, 'pending');
  assert.equal(served.git('rev-parse', 'main'), before);
  answers.push({ say: 'revise', revision: { message: 'Write d, too\n' } }, { say: 'approve' });
  const landed = await reviewer.push();
  assert.ok(landed.outcome === 'done', JSON.stringify(landed));
  assert.equal(served.git('log', '-1', '--format=%B'), 'Write d, too');
  assert.ok(asked.every(({ id }) => id === null));
  remove();
  await stage(agent, 'e.md');
  const shown = await reviewer.push();
  const digest = shown.outcome === 'pending' ? (shown.push?.digest ?? '') : '';
  assert.equal((await reviewer.push({ digest })).outcome, 'done');
  assert.equal(served.git('log', '-1', '--format=%s'), 'Write e.md');
});

test('a push is shown to whoever makes it as to whoever reviews it', { skip }, async () => {
  const secret = 'token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"\n';
  await agent.call('write_file', { path: 'README.md', content: '# Project\n\nMore\n' });
  await agent.call('write_file', { path: 'lines.md', content: 'one\n'.repeat(40) });
  await agent.call('write_file', { path: 'with space.md', content: 'diff --git a/x b/x\n@@ -1 +1 @@\n' });
  await agent.call('write_file', { path: 'binary.bin', content: 'AAECAwA=', encoding: 'base64' });
  await stage(agent, 'secret.txt', secret);
  // Both versions leave, one of them only in the first commit.
  await stage(agent, 'twice.md', 'first\n');
  await stage(agent, 'twice.md', 'second\n');
  await agent.call('git_stage', {
    files: ['README.md', 'lines.md', 'with space.md', 'binary.bin'],
    message: 'Write four',
  });
  await agent.call('git_push', HEAD);
  const id = (await ofHead(reviewer)) ?? '';
  const theirs = push(await reviewer.review(id));
  let mine: PushQuestion | undefined;
  const remove = reviewer.onQuestion((question) => {
    mine = push(question);
    return { say: 'later' };
  });
  await reviewer.push();
  remove();
  assert.ok(theirs.risks && theirs.risks.length > 0 && theirs.patches?.length === 7, JSON.stringify(theirs));
  assert.ok(theirs.patches.some(({ hunks }) => hunks.length > 0));
  assert.match(theirs.patches.at(-1)?.head ?? '', /^diff --git a\/twice.md [^]*\+first\n$/);
  // What was seen and said of a push is kept for those who review a call that waits.
  const { who, listed, gone, steps, comments, ...shown } = theirs;
  assert.match(who ?? '', /reviewer/);
  assert.deepEqual([listed?.length, gone, steps?.length, comments], [7, [], 4, []]);
  assert.deepEqual(mine, { ...shown, reasons: [], offer: null });
  await reviewer.reject(id, 'a secret');
});

test('a strict sandbox asks about each change, and what was approved is done', { skip }, async () => {
  await served.make('strict', { policy: 'strict' });
  const [token, person] = await Promise.all([served.token('agent', 'strict'), served.token('owner', 'strict')]);
  const sandbox = await connectSandbox(served.url('strict'), token, { person });
  const change = () => sandbox.call('git_stage', { files: ['a.md'], message: 'Write a' });
  await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
  const nobody = await change();
  assert.ok(nobody.outcome === 'pending' && nobody.waits && nobody.inside, JSON.stringify(nobody));
  const answers: Answer[] = [{ say: 'reject', reason: 'not yet' }, { say: 'approve' }];
  sandbox.onQuestion((question) => {
    assert.ok(question.about === 'call' && question.call.tool === 'git_stage');
    return answers.shift();
  });
  const rejected = await change();
  assert.ok(rejected.outcome === 'failed' && rejected.reason === 'not yet', JSON.stringify(rejected));
  assert.equal((await change()).outcome, 'done');
  assert.equal((await sandbox.staged()).length, 1);
  await sandbox.close();
});

test('who calls is who the token is for, and nobody is taken for somebody else', { skip }, async () => {
  await assert.rejects(owner.call('git_status', {}), { kind: 'usage', message: /as the user, not as an agent/ });
  await assert.rejects(agent.status(), { kind: 'usage', message: /no calls as the user/ });
  await assert.rejects(agent.waiting(), { kind: 'forbidden' });
  await assert.rejects(agent.push(), { kind: 'usage' });
  assert.equal((await owner.status()).outcome, 'done');
  const write = reviewer.call('write_file', { path: 'x', content: '' }, { as: 'user' });
  await assert.rejects(write, { kind: 'not-approved' });
  await assert.rejects(owner.fsck(), { kind: 'usage' });
  await assert.rejects(connectSandbox(served.url(), 'gitgate_x'), { kind: 'unauthorized' });
  await assert.rejects(connectSandbox(served.url('none'), await served.token('agent')), { kind: 'unauthorized' });
  const [one, two] = await Promise.all([served.token('owner'), served.token('agent')]);
  await assert.rejects(connectSandbox(served.url(), one, { person: two }), { kind: 'usage' });
  await assert.rejects(connectSandbox(served.url(), two, { person: two }), { kind: 'usage' });
});

test('a copy of a sandbox is made by its owner, and is another sandbox', { skip }, async () => {
  await stage(agent, 'f.md');
  await assert.rejects(reviewer.fork('copy'), { kind: 'forbidden' });
  await owner.fork('copy');
  await assert.rejects(owner.fork('copy'), { kind: 'sandbox-exists' });
  const copy = await connectSandbox(served.url('copy'), await served.token('agent', 'copy'));
  const log = (sandbox: Sandbox) => sandbox.call('git_log', { oneline: true });
  assert.deepEqual(await log(copy), await log(agent));
  await stage(copy, 'of-the-copy.md');
  assert.notDeepEqual(await log(copy), await log(agent));
  await copy.close();
});

test('a bundle comes from the server once a person approves what they were shown', { skip }, async () => {
  await stage(agent, 'g.md');
  await assert.rejects(agent.exportBundle(), { kind: 'usage' });
  const nobody = await reviewer.exportBundle();
  assert.ok(nobody.outcome === 'pending' && nobody.push?.digest, JSON.stringify(nobody));
  const known = await reviewer.exportBundle(undefined, { digest: nobody.push.digest });
  assert.ok(known.outcome === 'done', JSON.stringify(known));
  const asked: Question[] = [];
  const remove = reviewer.onQuestion((question) => {
    asked.push(question);
    return asked.length === 1 ? { say: 'revise', revision: { message: 'Write g\n' } } : { say: 'approve' };
  });
  const exported = await reviewer.exportBundle('trunk');
  remove();
  assert.ok(exported.outcome === 'done' && asked.length === 2, JSON.stringify(asked));
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-bundle-'));
  const subjects = { main: 'Write g.md', trunk: 'Write g' };
  for (const [branch, { bytes }] of Object.entries({ main: known, trunk: exported })) {
    const file = join(folder, `${branch}.bundle`);
    await writeFile(file, bytes);
    served.git('-c', 'init.defaultBranch=main', 'clone', '--quiet', '--branch', branch, file, join(folder, branch));
    const subject = served.git('-C', join(folder, branch), 'log', '-1', '--format=%s');
    assert.equal(subject, subjects[branch as keyof typeof subjects]);
  }
  await rm(folder, { recursive: true });
});

/** The values that differ from one sandbox to the next: times, and ids that depend on them. */
const same = (reply: Reply): unknown =>
  JSON.parse(
    JSON.stringify(reply)
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\+00:00| \+0000|Z)?/g, 'THEN')
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'ID'),
  );

test('a call over HTTP ends as the same call in a page', { skip }, async () => {
  await served.make('same');
  const over = await connectSandbox(served.url('same'), await served.token('agent', 'same'));
  const calls: [string, object][] = [
    ['write_file', { path: 'a.md', content: 'one\ntwo\n' }],
    ['edit_file', { path: 'a.md', edits: [{ old_text: 'two', new_text: 'three' }] }],
    ['read_file', { path: 'a.md' }],
    ['Edit', { file_path: 'a.md', old_string: 'one', new_string: '1' }],
    ['read', { filePath: 'a.md', offset: '0' }],
    ['read_file', { path: 'none.md' }],
    ['read_file', { path: 1 }],
    ['no_such_tool', {}],
    ['list_files', { recursive: true }],
    ['git_stage', { files: ['a.md'], message: 'Write a' }],
    ['git_status', {}],
    ['git_log', { oneline: true }],
    ['git_diff', { commitId: 'HEAD' }],
    ['git_push', { commitId: 'HEAD' }],
  ];
  const chrome = await browser();
  const page = await chrome.page(chrome.served.plain);
  const expected = await page.evaluate(async (calls) => {
    const one = await gitgate.openSandbox({
      name: 'same',
      storage: gitgate.memory(),
      identity: 'Ada <ada@example.org>',
      push: 'assisted',
    });
    const replies: Reply[] = [];
    for (const [tool, args] of calls) replies.push(await one.call(tool as 'git_status', args));
    const tools = await one.tools();
    await one.close();
    return { replies, tools };
  }, calls);
  await chrome.close();
  for (const [at, [tool, args]] of calls.entries()) {
    const reply: Reply = await over.call(tool as 'git_status', args);
    const wanted = expected.replies[at] ?? assert.fail();
    assert.deepEqual(same(reply), same(wanted), `${tool} ${JSON.stringify(args)}`);
    if (['Edit', 'read'].includes(tool)) assert.equal(reply.outcome, 'done', JSON.stringify(reply));
  }
  assert.deepEqual(await over.tools(), expected.tools);
});
