import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';

import { both, chrome } from './both.js';
import { slow } from './slow.js';

both('two tabs have one sandbox, and when the owner is closed the other takes over', async (first, _, kind) => {
  const open = (page: Page) =>
    page.evaluate(async () => {
      const { openSandbox, opfs } = gitgate;
      const sandbox = await openSandbox({
        name: 'shared',
        storage: opfs(),
        identity: 'Ada <ada@example.org>',
        policy: 'strict',
      });
      Object.assign(globalThis, { sandbox });
    });
  const second = await chrome.page(chrome.served[kind]);
  await open(first);
  await open(second);
  for (const [page, isHere] of [[first, true], [second, false]] as const) {
    assert.deepEqual(await page.evaluate(() => sandbox.owner), { isHere });
  }
  const stage = (page: Page) =>
    page.evaluate(async () => {
      await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
      return (await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' })).outcome;
    });
  // The second tab's calls run in the first tab, but ask the person in the second.
  await second.evaluate(() => void sandbox.onQuestion(() => ({ say: 'approve' })));
  assert.equal(await stage(second), 'done');
  assert.equal(await first.evaluate(async () => (await sandbox.staged()).length), 1);
  // Waiting calls are stored, whichever tab has the sandbox.
  const pending = await second.evaluate(async () => {
    await sandbox.call('write_file', { path: 'b.md', content: 'two\n' });
    return sandbox.call('git_stage', { files: ['b.md'], message: 'Wait' }, { wait: 'pending' });
  });
  assert.equal(pending.outcome, 'pending');
  await first.close();
  const seen = await second.evaluate(async () => {
    const status = await sandbox.status().catch(() => sandbox.status());
    const staged = (await sandbox.staged()).length;
    const waiting = (await sandbox.waiting()).length;
    const { owner } = sandbox;
    await sandbox.close();
    await gitgate.removeSandbox('shared');
    return { text: status.text, staged, waiting, owner };
  });
  assert.deepEqual(seen.owner, { isHere: true });
  assert.equal(seen.staged, 1);
  assert.equal(seen.waiting, 1);
  await second.close();
});

both('a call through another tab is of unknown end when that is closed in the middle', async (first, _, kind) => {
  await slow(first, 'opfs');
  const second = await chrome.page(chrome.served[kind]);
  await second.evaluate(async () => {
    const sandbox = await gitgate.openSandbox({ name: 'slow', storage: gitgate.opfs() });
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const status = await sandbox.status();
    const asked = sandbox.call('git_diff', { stat: true }).then(({ outcome }) => outcome, kind);
    Object.assign(globalThis, { sandbox, asked, status });
  });
  await first.close();
  const seen = await second.evaluate(async () => {
    const ended: unknown = await Reflect.get(globalThis, 'asked');
    const staged = (await sandbox.staged()).length;
    await sandbox.close();
    await gitgate.removeSandbox('slow');
    return { ended, staged };
  });
  assert.deepEqual(seen, { ended: 'interrupted', staged: 1 });
  await second.close();
});
