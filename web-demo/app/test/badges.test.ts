// All tabs show the number of waiting questions, whichever tab asks. It survives when that tab closes or
// leaves its sandbox.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { look } from './look.js';
import { scene } from './page.js';
import {
  approve,
  badge,
  go,
  handOver,
  keptFromHub,
  make,
  noBadge,
  play,
  played,
  push,
  review,
  stage,
  titled,
  write,
} from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

const fromHub = async (name: string): Promise<Page> => keptFromHub(await chrome.page(), hub.base, name);

test('each tab and the start page tell what waits, whichever tab asks, until it is decided', async () => {
  const first = await fromHub('badges');
  const start = await chrome.page();
  const row = start.getByRole('listitem').filter({ has: start.getByRole('link', { name: 'badges' }) });
  await row.waitFor();
  const second = await chrome.page('#/s/badges/files');
  await second.getByText('runs in another tab').waitFor();
  await second.evaluate(() => sessionStorage.setItem('gitgate.token:badges', 'hunter2'));
  await play(first, write('i.md', 'one\n'), stage('Add i', 'i.md'), push);
  await review(first);
  await first.keyboard.press('Shift+B');
  await badge(first, 2);
  await badge(second, 2);
  await titled(first, '(2) badges – gitgate');
  await titled(second, '(2) badges – gitgate');
  await row.getByText('2 waiting').waitFor();
  await start.waitForFunction(() => /^\(\d+\) gitgate$/.test(document.title));
  await look(start, 'reload-start');
  await second.getByRole('button', { name: 'Waiting for you' }).click();
  await second.locator('.verdict').waitFor();
  await second.getByText('Open in another tab').waitFor();
  await look(second, 'reload-elsewhere');
  await approve(second);
  await second.getByRole('heading', { name: 'Pushed' }).waitFor();
  await badge(second, 1);
  await row.getByText('1 waiting').waitFor();
  const downloading = first.waitForEvent('download');
  await go(first, 'Files');
  await first.getByRole('button', { name: 'Waiting for you' }).click();
  await first.locator('.verdict').waitFor();
  await first.getByText('Download a bundle').waitFor();
  await approve(first);
  await downloading;
  for (const page of [first, second]) {
    await noBadge(page);
    await titled(page, 'badges – gitgate');
  }
  await row.getByText('waiting').waitFor({ state: 'detached' });
  for (const page of [first, second, start]) await page.close();
});

test('a bundle whose tab is closed waits, and is reviewed in another one', async () => {
  const first = await chrome.page();
  await make(first, 'closed');
  await play(first, write('a.md', 'one\n'), stage('Add a', 'a.md'), handOver);
  await review(first);
  const second = await chrome.page('#/s/closed/review');
  await second.getByRole('heading', { name: 'Open in another tab' }).waitFor();
  await look(second, 'reload-only-elsewhere');
  await first.close();
  await second.getByText('A bundle waits for you').waitFor();
  await badge(second, 1);
  await look(second, 'reload-closed');
  await second.getByRole('button', { name: 'Review it' }).click();
  await second.locator('.verdict').waitFor();
  await second.reload();
  await second.locator('.verdict').waitFor();
  const downloading = second.waitForEvent('download');
  await approve(second);
  await downloading;
  await noBadge(second);
  await second.close();
});

test('a copy of a tab does not run the script that runs in the other one', async () => {
  const first = await fromHub('copied');
  await play(first, write('j.md', 'one\n'), stage('Add j', 'j.md'), push, write('k.md', 'two\n'));
  await review(first);
  await first.waitForFunction(() => sessionStorage.getItem('gitgate.scripts')?.includes('"stopped"'));
  const copied = await first.evaluate(() => Object.entries(sessionStorage));
  const second = await chrome.page();
  await second.evaluate((all) => all.forEach(([key, value]) => sessionStorage.setItem(key, String(value))), copied);
  await second.evaluate(() => (location.hash = '#/s/copied/agent'));
  await second.locator('.step.stopped').waitFor();
  await badge(second, 1);
  await approve(first);
  await first.getByRole('heading', { name: 'Pushed' }).waitFor();
  await noBadge(second);
  await second.locator('.step.stopped').waitFor();
  await go(second, 'History');
  await second.locator('.call-row').first().waitFor();
  await second.locator('.call-row', { hasText: 'k.md' }).waitFor();
  assert.equal(await second.locator('.call-row', { hasText: 'k.md' }).count(), 1, 'it was written once');
  await first.close();
  await second.close();
});

test('a review stays when its sandbox is left, and is asked again when it is opened', async () => {
  const page = await chrome.page();
  await make(page, 'returned');
  await play(page, write('a.md', 'one\n'), stage('Add a', 'a.md'), handOver);
  await review(page);
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'returned' }) });
  await row.getByText('1 waiting').waitFor();
  await page.getByRole('link', { name: 'returned' }).click();
  await page.getByRole('button', { name: 'Waiting for you' }).click();
  await page.locator('.verdict').waitFor();
  await page.keyboard.press('l');
  await go(page, 'Agent');
  await played(page);
  await noBadge(page);
  await page.close();
});
