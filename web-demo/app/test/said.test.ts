// What the page says: of a question that ended with it, of what goes wrong, and when.

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

test('a question that ends with the page is told of when the page is loaded again, until it is asked again', async () => {
  const page = await chrome.page();
  await make(page, 'again');
  await play(page, ...CALLS);
  await review(page);
  await page.reload();
  const told = page.getByText('The page was loaded again, so its question ended');
  await told.waitFor();
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await look(page, 'said-review');
  await go(page, 'Agent');
  await told.waitFor();
  await look(page, 'said-agent');
  await play(page, 'hand_over {}');
  await review(page);
  const downloading = page.waitForEvent('download');
  await approve(page);
  await downloading;
  await page.getByText('The bundle is downloaded').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  assert.equal(await told.count(), 0, 'what was answered has not ended with the page');
  await go(page, 'Audit');
  await page.locator('.audit-row').first().waitFor();
  assert.match(await page.locator('.audit-row .when').first().innerText(), /^today \d\d:\d\d$/);
  assert.match(await page.locator('.audit-row bdi').first().innerText(), /^Push landed/);
  await look(page, 'said-audit');
  await page.close();
});

test('what is asked in one tab only says so, and a bundle is not a push to a protected branch', async () => {
  const page = await chrome.page();
  await kind(page, 'Empty');
  await page.getByLabel('Commit author').fill('Robot <robot@example.org>');
  await make(page, 'my box');
  await play(page, ...CALLS);
  await review(page);
  await page.getByText('This review waits in this tab only').waitFor();
  assert.equal(await page.getByText('Pushing directly').count(), 0);
  await look(page, 'said-here-only');
  const downloading = page.waitForEvent('download');
  await openAll(page);
  await page.keyboard.press('a');
  const file = (await downloading).suggestedFilename();
  assert.equal(file, 'my-box.bundle');
  await page.getByText(`git clone ${file}`).waitFor();
  assert.equal(await page.getByText('in this tab only').count(), 0);
  await look(page, 'said-bundle');
  await go(page, 'Audit');
  await page.getByText(/approved by You\b/).waitFor();
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
  assert.deepEqual(await alert.locator('bdi').allInnerTexts(), ["There is no sandbox 'none' here", 'Make a new one']);
  assert.equal(sentence('nobody has decided yet'), 'Nobody has decided yet');
  for (const name of ['git_push asks a person', 'a.md: no such file', "'a' was left", 'a/b is a folder']) {
    assert.equal(sentence(name), name);
  }
  await page.close();
});
