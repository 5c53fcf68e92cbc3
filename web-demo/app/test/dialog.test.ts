// Text typed in a dialog outlives the dialog, until it is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { scene } from './page.js';
import { call, go, make, play, played, review } from './steps.js';

const chrome = await scene();

const field = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox');
const closed = (page: Page): Promise<void> => page.getByRole('dialog').waitFor({ state: 'detached' });
const change = (path: string): [string, string] => [
  call('write_file', { path, content: path }),
  call('git_stage', { files: [path], message: `Write ${path}` }),
];

test('a reason that was not sent is there again, for the same question alone', async () => {
  const page = await chrome.page();
  await make(page, 'reasons');
  await play(page, ...change('a.md'), 'hand_over {}');
  await review(page);
  await page.keyboard.press('r');
  await field(page).fill('It says nothing.');
  await page.keyboard.press('Escape');
  await closed(page);
  await page.keyboard.press('r');
  assert.equal(await field(page).inputValue(), 'It says nothing.');
  await field(page).fill('It says nothing at all.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await closed(page);
  await page.keyboard.press('r');
  assert.equal(await field(page).inputValue(), 'It says nothing at all.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Rejected' }).waitFor();
  await play(page, ...change('b.md'), 'hand_over {}');
  await review(page);
  await page.keyboard.press('r');
  assert.equal(await field(page).inputValue(), '', 'another question has no reason yet');
  await page.close();
});

test('a message that was not sent is there again, and gone once it is', async () => {
  const page = await chrome.page();
  await make(page, 'messages');
  await play(page, call('write_file', { path: 'a.md', content: 'a' }));
  await played(page);
  await go(page, 'Changes');
  const stage = page.getByRole('button', { name: /^Stage/ });
  await stage.click();
  await field(page).fill('Write a');
  await page.keyboard.press('Escape');
  await closed(page);
  await stage.click();
  assert.equal(await field(page).inputValue(), 'Write a');
  await page.keyboard.press('Control+Enter');
  await page.locator('.commit-row', { hasText: 'Write a' }).waitFor();
  await play(page, call('write_file', { path: 'b.md', content: 'b' }));
  await played(page);
  await go(page, 'Changes');
  await stage.click();
  assert.equal(await field(page).inputValue(), '');
  await page.close();
});

test('a dialog gives the focus back to where it was', async () => {
  const page = await chrome.page();
  await make(page, 'back');
  const button = page.getByRole('button', { name: 'New file' });
  await button.focus();
  await page.keyboard.press('Enter');
  await field(page).waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  assert.ok(await button.evaluate((one) => one === document.activeElement));
  await page.close();
});
