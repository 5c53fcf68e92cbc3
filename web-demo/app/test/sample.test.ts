import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Page } from 'playwright-core';

import { look } from './look.js';
import { open } from './page.js';
import type { Chrome } from './page.js';

let chrome: Chrome;
before(async () => void (chrome = await open()));
after(async () => {
  await chrome.close();
  assert.deepEqual(chrome.complaints, [], 'the pages complain');
});

const go = async (page: Page, tab: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: tab }).click();
};

/** Opens all files of the review, by the keyboard. */
async function openAll(page: Page): Promise<void> {
  await page.locator('.verdict').waitFor();
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('j');
}

test('the sample is played, rejected, mended and approved by keys, and git clones the bundle', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-sample-'));
  const page = await chrome.page();
  await page.getByText('No sandbox yet').waitFor();
  await look(page, 'start');
  await page.getByRole('button', { name: 'Make the sandbox' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No files yet').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Load the sample' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Next: line 2').waitFor();
  await page.keyboard.press('Shift+N');
  await page.getByText('It waits for your answer').waitFor();
  await look(page, 'agent');
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.locator('.verdict').waitFor();
  await look(page, 'review');
  await page.keyboard.press('a');
  await page.getByText(/Open \d high-risk files first/).waitFor();
  await openAll(page);
  await page.getByText('Contains invisible').first().waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('There is a hidden character in the role.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openAll(page);
  await page.keyboard.press('v');
  await page.getByText('1 reviewed').waitFor();
  assert.equal(await page.locator('.review').getByText('invisible').count(), 0, 'it was mended');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: /protected/ }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).last().focus();
  await page.keyboard.press('Enter');
  const file = join(folder, 'sample.bundle');
  await (await downloading).saveAs(file);
  await page.getByText('The bundle is downloaded').waitFor();
  await look(page, 'outcome');
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--branch', 'main', file, clone], { stdio: 'pipe' });
  assert.match(await readFile(join(clone, 'src/admin.js'), 'utf8'), /role === "admin";/);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  const read = await page.getByRole('log', { name: 'Calls and results' }).innerText();
  assert.match(read, /There is a hidden character in the role/);
  assert.match(read, /Only the user can call git_revise/);
  assert.match(read, /Path outside sandbox/);
  await rm(folder, { recursive: true, force: true });
  await page.close();
});

test('each screen of the workspace passes', async () => {
  const page = await chrome.page('#/s/sandbox/files/src/weather.js');
  await page.getByRole('treeitem').first().waitFor();
  await page.getByText('encodeURIComponent').waitFor();
  await look(page, 'files');
  await page.getByRole('link', { name: 'Blame' }).click();
  await page.getByRole('table', { name: 'Blame' }).waitFor();
  await look(page, 'blame');
  for (const [tab, sign] of [
    ['Changes', '.empty, .patches'],
    ['Commits', '.commit-row'],
    ['History', '.call-row'],
    ['Audit', '.audit-row, .empty'],
    ['Agent', '.agent'],
  ] as const) {
    await go(page, tab);
    await page.locator(sign).first().waitFor();
    await look(page, tab.toLowerCase());
  }
  await go(page, 'Commits');
  await page.locator('.commit-row').first().click();
  await page.locator('.patches').waitFor();
  await look(page, 'commit');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await look(page, 'keys');
  await page.close();
});
