// The history: the calls, and the way back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, go, make, play, played } from './steps.js';

const chrome = await scene();

const write = (at: number): string => call('write_file', { path: `${at}.md`, content: `${at}\n` });
const writes = (page: Page) => page.locator('.call-row', { hasText: 'write_file' });

test('the sandbox is restored to a call, which stays, and the latest one is undone', async () => {
  const page = await chrome.page();
  await make(page, 'restored');
  await play(page, write(1), write(2), write(3));
  await played(page);
  await go(page, 'History');
  await writes(page).nth(2).getByRole('button', { name: 'Restore to here' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore to here?' });
  await dialog.getByText('The latest 2 calls are undone').waitFor();
  await look(page, 'restore');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored: the latest 2 calls are undone').waitFor();
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: '1.md' }).waitFor();
  assert.equal(await page.getByRole('treeitem').count(), 1);
  await go(page, 'History');
  await page.getByRole('button', { name: 'Undo write_file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.', { exact: true }).waitFor();
  await go(page, 'Files');
  await page.getByText('No files yet').waitFor();
  await page.close();
});

test('older calls are shown on demand, until there are none', async () => {
  const page = await chrome.page();
  await make(page, 'older');
  await play(page, ...Array.from({ length: 205 }, (_, at) => write(at)));
  await played(page);
  await go(page, 'History');
  const older = page.getByRole('button', { name: 'Show older' });
  await older.waitFor();
  assert.equal(await page.locator('.call-row').count(), 200);
  await older.click();
  await page.locator('.call-row').nth(204).waitFor();
  await older.waitFor({ state: 'detached' });
  await page.close();
});
