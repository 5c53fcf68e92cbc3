import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Page } from 'playwright-core';

import { browser } from './browser.js';
import type { Browser } from './browser.js';

let chrome: Browser;

before(async () => {
  chrome = await browser();
});
after(() => chrome.close());

/** Runs a test in a page of either kind. */
function both(name: string, run: (page: Page) => Promise<void>): void {
  for (const kind of ['plain', 'isolated'] as const) {
    test(`${name} (${kind})`, async () => {
      const page = await chrome.page(chrome.served[kind]);
      assert.equal(await page.evaluate(() => crossOriginIsolated), kind === 'isolated');
      await run(page);
      await page.close();
    });
  }
}

both('an agent works in a sandbox in memory', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const sandbox = await openSandbox({ name: 'one', storage: memory(), identity: 'Ada <ada@example.org>' });
    const wrote = await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    const staged = await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
    const { length } = await sandbox.staged();
    const { sound } = await sandbox.fsck();
    const tools = (await sandbox.tools()).map((tool) => tool.name);
    await sandbox.undo(2);
    const status = await sandbox.status();
    await sandbox.close();
    return { wrote, staged, length, sound, tools, status };
  });
  assert.equal(seen.wrote.outcome, 'done');
  assert.equal(seen.staged.outcome, 'done');
  assert.equal(seen.length, 1);
  assert.equal(seen.sound, true);
  assert.ok(seen.tools.includes('git_stage'));
  assert.match(seen.status.text, /main/);
});
