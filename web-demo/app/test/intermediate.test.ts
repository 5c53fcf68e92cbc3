// A file that one commit of a push adds and a later one removes: it leaves too.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { approve, call, make, play, review } from './steps.js';

const chrome = await scene();

const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });
const risks = (page: Page): Locator => page.getByLabel('Risks of this file');
const shown = (page: Page, text: string): Locator => page.locator('.review-content').getByText(text);

test('what only an intermediate commit has is shown, and opened before an approval', async () => {
  const page = await chrome.page();
  await make(page, 'between');
  await play(
    page,
    call('write_file', { path: 'src/codes.txt', content: 'the launch code is 0000\n' }),
    call('write_file', { path: 'README.md', content: 'of the first day\n' }),
    call('git_stage', { files: ['.'], message: 'One' }),
    call('delete_file', { path: 'src/codes.txt' }),
    call('write_file', { path: 'README.md', content: 'of the last day\n' }),
    call('git_stage', { files: ['.'], message: 'Two' }),
    'hand_over {}',
  );
  await review(page);
  await page.getByText('Files, 2 in earlier commits only').waitFor();
  await shown(page, 'of the last day').waitFor();
  await page.keyboard.press('a');
  await page.getByText('Open 2 high-risk files first').waitFor();
  // A risk leads to its subject, and not to the file that has its name in the end.
  await page.getByLabel('High risks').getByRole('button', { name: /README/ }).click();
  await shown(page, 'of the first day').waitFor();
  await risks(page).getByText(/^Only in the intermediate commit [0-9a-f]{7}, but still published/).waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Include' }).count(), 0, 'it cannot be left out');
  await row(page, /codes\.txt/).click();
  await shown(page, 'the launch code is 0000').waitFor();
  await look(page, 'intermediate');
  await page.getByText(/^Open .* high-risk/).waitFor({ state: 'detached' });
  const downloading = page.waitForEvent('download');
  await approve(page);
  await downloading;
  await page.close();
});
