// A person edits a bundle as they edit a push.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { approve, call, git, kept, make, openAll, play, review, scratch } from './steps.js';

const chrome = await scene();

test('what a person leaves out, and another message, make the bundle that is downloaded', async (t) => {
  const folder = await scratch(t);
  const page = await chrome.page();
  await make(page, 'edited');
  await play(
    page,
    call('write_file', { path: 'a.md', content: 'one\n' }),
    call('write_file', { path: 'b.md', content: 'secret\n' }),
    call('git_stage', { files: ['.'], message: 'Write both' }),
    'hand_over {}',
  );
  await review(page);
  await openAll(page);
  await page.keyboard.press('x');
  await page.getByText('1 file left out or cut').waitFor();
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('textbox').fill('Write a');
  await page.keyboard.press('Control+Enter');
  await look(page, 'bundle-edited');
  await page.keyboard.press('e');
  await page.locator('.review-side').getByText('Write a', { exact: true }).waitFor();
  await page.locator('[data-file]').nth(1).waitFor({ state: 'detached' });
  const downloading = page.waitForEvent('download');
  await approve(page);
  const file = await kept(downloading, join(folder, 'edited.bundle'));
  git(folder, 'clone', '--quiet', '--branch', 'main', file, 'clone');
  assert.equal(git(join(folder, 'clone'), 'log', '--format=%s', '--name-only'), 'Write a\n\na.md');
  await page.close();
});
