// The page's texts: about questions, about errors, and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sentence } from '../src/state/sentence.js';
import { look } from './look.js';
import { scene } from './page.js';
import { approve, call, go, kind, make, openAll, play, played, review } from './steps.js';

const chrome = await scene();

const CALLS = [
  call('write_file', { path: 'a.md', content: 'one\n' }),
  call('git_stage', { files: ['.'], message: 'Add a file' }),
  'hand_over {}',
];

test('what was answered is not asked about again when the page is loaded again', async () => {
  const page = await chrome.page();
  await make(page, 'again');
  await play(page, ...CALLS);
  await review(page);
  const downloading = page.waitForEvent('download');
  await approve(page);
  await downloading;
  await page.getByText('Bundle downloaded').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await look(page, 'said-review');
  await go(page, 'Audit');
  await page.locator('.audit-row').first().waitFor();
  assert.match(await page.locator('.audit-row .when').first().innerText(), /^\d\d:\d\d$/);
  assert.match(await page.locator('.audit-row').first().innerText(), /You approved a bundle of main.*\s+Created/);
  await look(page, 'said-audit');
  await page.close();
});

test('what is asked in one tab says so, and a bundle is not a push to a protected branch', async () => {
  const page = await chrome.page();
  await kind(page, 'Empty');
  await page.getByLabel('Commit author').fill('Robot <robot@example.org>');
  await make(page, 'my box');
  await play(page, ...CALLS);
  await review(page);
  await page.getByText('This review is open in this tab').waitFor();
  assert.equal(await page.getByText('Pushing directly').count(), 0);
  await look(page, 'said-here-only');
  const downloading = page.waitForEvent('download');
  await openAll(page);
  await page.keyboard.press('a');
  const file = (await downloading).suggestedFilename();
  assert.equal(file, 'my-box.bundle');
  await page.getByText(`git clone ${file}`).waitFor();
  assert.equal(await page.getByText('open in this tab').count(), 0);
  await look(page, 'said-bundle');
  await go(page, 'Audit');
  await page.getByText(/You approved a bundle/).waitFor();
  await page.close();
});

test('a push from a sandbox that came from nowhere offers the bundle instead', async () => {
  const page = await chrome.page();
  await make(page, 'nowhere');
  await play(page, ...CALLS.slice(0, 2));
  await played(page);
  await page.keyboard.press('p');
  await page.getByText('This sandbox has no place to push to').waitFor();
  await look(page, 'said-nowhere');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Review and download' }).click();
  await page.locator('.verdict').waitFor();
  await approve(page);
  await downloading;
  await page.close();
});

test('what goes wrong is told in sentences, and names stay as they are', async () => {
  const page = await chrome.page('#/s/none');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.deepEqual(await alert.locator('bdi').allInnerTexts(), [
    "There is no sandbox 'none' here",
    'It may have been deleted',
  ]);
  assert.equal(sentence('nobody has decided yet'), 'Nobody has decided yet');
  for (const name of ['git_push asks a person', 'a.md: no such file', "'a' was left", 'a/b is a folder']) {
    assert.equal(sentence(name), name);
  }
  await page.close();
});
