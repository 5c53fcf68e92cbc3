import assert from 'node:assert/strict';

import { both } from './both.js';
import { Hub } from './hub.js';

both('a sandbox comes from GitHub, and what a person approves goes back', async (page, t) => {
  const hub = await Hub.start();
  t.after(() => hub.close());
  const before = hub.head;
  const seen = await page.evaluate(async (base) => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({
      name: 'one',
      storage: memory(),
      identity: 'Ada <ada@example.org>',
      push: 'assisted',
      from: { github: 'Ada/Project' },
      pushTo: 'main',
      github: { base, token: () => Promise.resolve('hunter2') },
    });
    const read = await sandbox.call('read_file', { path: 'README.md' });
    await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    const push = () => sandbox.call('git_push', { commitId: 'HEAD' });
    const pending = await push();
    const [waits] = await sandbox.waiting();
    const id = waits?.id ?? '';
    const question = await sandbox.review(id);
    const other = await sandbox.decide(id, { say: 'approve', digest: '0'.repeat(64) });
    const live: { id: string | null; waiting: string[] }[] = [];
    const remove = sandbox.onQuestion(async ({ id }) => {
      live.push({ id, waiting: (await sandbox.waiting()).map((one) => one.id) });
      return live.length === 1
        ? { say: 'revise', revision: { message: 'Add one file' } }
        : { say: 'reject', reason: 'say why' };
    });
    const rejected = await push();
    await sandbox.push();
    remove();
    await push();
    const [again] = await sandbox.waiting();
    const shown = await sandbox.review(again?.id ?? '');
    const digest = shown.about === 'push' ? (shown.push.push?.digest ?? '') : '';
    const landed = await sandbox.decide(again?.id ?? '', { say: 'approve', digest });
    const left = await sandbox.waiting();
    const staged = await sandbox.staged();
    const audit = await sandbox.audit();
    await sandbox.close();
    return { read, pending, id, question, live, other, rejected, landed, left, staged, audit };
  }, hub.base);
  assert.ok(seen.read.outcome === 'done' && seen.read.text.includes('# Project'), JSON.stringify(seen.read));
  assert.ok(seen.pending.outcome === 'pending' && seen.pending.waits, JSON.stringify(seen.pending));
  assert.equal(seen.pending.push?.digest, null, 'an agent is given no digest');
  assert.ok(seen.question.about === 'push' && seen.question.push.push?.target === 'github:ada/project');
  assert.equal(seen.question.id, seen.id);
  const [first, revised, ofUser] = seen.live;
  // It has been waiting since before.
  assert.deepEqual(first, { id: seen.id, waiting: [seen.id] });
  assert.ok(revised?.id && revised.id !== seen.id && revised.waiting.includes(revised.id), JSON.stringify(seen.live));
  assert.equal(ofUser?.id, null);
  assert.equal(seen.other?.outcome, 'pending', JSON.stringify(seen.other));
  assert.ok(seen.rejected.outcome === 'failed' && seen.rejected.reason === 'say why', JSON.stringify(seen.rejected));
  assert.equal(seen.landed?.outcome, 'done', JSON.stringify(seen.landed));
  assert.deepEqual([seen.left, seen.staged], [[], []]);
  assert.doesNotMatch(seen.audit, /hunter2/);
  assert.notEqual(hub.head, before);
  assert.deepEqual(hub.files(), { 'README.md': '# Project\n', 'a.md': 'one\n' });
  assert.deepEqual([...hub.tokens], ['Bearer hunter2']);
});

both('a sandbox whose repository cannot be reached is not made', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const from = { github: 'ada/project' };
    const github = { base: 'http://127.0.0.1:9' };
    const fields = (error: unknown) => Object.assign({}, error) as { kind: string };
    return openSandbox({ name: 'one', storage: memory(), from, github }).catch(fields);
  });
  assert.ok('kind' in seen && seen.kind === 'execution-failed', JSON.stringify(seen));
});
