// Reloading the page restores the review, the script and its results.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { look } from './look.js';
import { scene } from './page.js';
import {
  approve,
  badge,
  call,
  go,
  handOver,
  keptFromHub,
  make,
  noBadge,
  openAll,
  play,
  played,
  push,
  review,
  said,
  stage,
  titled,
  write,
} from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

const fromHub = async (name: string): Promise<Page> => keptFromHub(await chrome.page(), hub.base, name);

test('a review of a push of one’s own is the same review after a reload, with all that was done in it', async () => {
  const page = await fromHub('same');
  const lines = (word: string): string =>
    Array.from({ length: 40 }, (_, at) => (at === 1 || at === 38 ? `${at} ${word}\n` : `${at}\n`)).join('');
  await play(page, write('a.md', lines('old')), stage('Write a', 'a.md'), push);
  await review(page);
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  const files = [write('a.md', lines('new')), write('b.md', 'b\n'), write('c.sh', 'ls\u200b\n')];
  await play(page, ...files, stage('Change them', 'a.md', 'b.md', 'c.sh'));
  await played(page);
  await page.keyboard.press('p');
  await page.locator('.verdict').waitFor();
  await titled(page, '(1) same – gitgate');
  await openAll(page);
  await page.getByText(/before you approve/).waitFor({ state: 'detached' });
  await page.keyboard.press('v');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.getByRole('checkbox', { name: 'Hunk 2 of 2' }).uncheck();
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('textbox').fill('Change the beginning of a');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 files left out or cut, message edited').waitFor();
  await page.reload();
  await page.getByText('2 files left out or cut, message edited').waitFor();
  await page.getByRole('checkbox', { name: 'Hunk 1 of 2', checked: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Hunk 2 of 2', checked: false }).waitFor();
  await page.getByText('1 reviewed').waitFor();
  await page.locator('.review-side').getByText('Change the beginning of a').waitFor();
  await page.getByRole('treeitem', { name: /b\.md/ }).locator('.tag', { hasText: 'out' }).waitFor();
  assert.equal(await page.getByText('Review it again').count(), 0, 'nothing has changed');
  await titled(page, '(1) same – gitgate');
  await look(page, 'reload-same');
  await page.keyboard.press('e');
  await page.locator('[data-file]').nth(1).waitFor();
  await page.locator('[data-file]').nth(2).waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Review it again').count(), 0, 'the person has made the revision');
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.equal(hub.files()['b.md'], undefined);
  await titled(page, 'same – gitgate');
  await page.reload();
  await page.getByText('Nothing waits for you').waitFor();
  await page.close();
});

test('a review whose sandbox has changed meanwhile begins anew, and says so', async () => {
  const page = await chrome.page();
  await make(page, 'anew');
  await play(page, write('a.md', 'one\n'), stage('Add a', 'a.md'));
  await played(page);
  await page.keyboard.press('Shift+B');
  await page.locator('.verdict').waitFor();
  await page.keyboard.press('v');
  await page.getByText('1 reviewed').waitFor();
  await play(page, write('b.md', 'two\n'), stage('Add b', 'b.md'));
  await played(page);
  await page.goBack();
  await page.reload();
  await page.getByText('Review it again').waitFor();
  await page.getByRole('treeitem', { name: /b\.md/ }).waitFor();
  await page.getByText('1 reviewed').waitFor();
  await look(page, 'reload-anew');
  await page.reload();
  await page.locator('.verdict').waitFor();
  assert.equal(await page.getByText('Review it again').count(), 0, 'it is the one that was seen');
  await page.close();
});

test('a script that hands over goes on after a reload, once the person has answered', async () => {
  const page = await chrome.page();
  await make(page, 'script');
  await play(page, write('a.md', 'one\n'), stage('Add a', 'a.md'), handOver, write('b.md', 'two\n'));
  await review(page);
  await page.reload();
  await page.locator('.verdict').waitFor();
  await go(page, 'Agent');
  await page.locator('.step.running', { hasText: 'hand_over' }).waitFor();
  assert.equal(await page.locator('.step').count(), 3, 'nothing runs on by itself');
  assert.match(await page.locator('.step').first().innerText(), /write_file[^]*done/);
  await page.goBack();
  const downloading = page.waitForEvent('download');
  await approve(page);
  await downloading;
  await go(page, 'Agent');
  await played(page);
  assert.equal(await page.locator('.step.done').count(), 4);
  await page.reload();
  await played(page);
  assert.equal(await page.locator('.step.done').count(), 4, 'what the agent has read is there');
  await noBadge(page);
  await page.close();
});

test('an agent’s call that asks is asked about again after a reload, and is the one that waited', async () => {
  const page = await fromHub('attached');
  await play(page, write('d.md', 'one\n'), stage('Add d', 'd.md'), push, write('e.md', 'two\n'));
  await review(page);
  await page.reload();
  await page.locator('.verdict').waitFor();
  await page.locator('.review-side').getByText('Add d').waitFor();
  await badge(page, 1);
  assert.equal(await page.getByRole('navigation', { name: 'Waiting for you' }).count(), 0, 'it waits once');
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  await go(page, 'Agent');
  await played(page);
  assert.match(await page.locator('.step', { hasText: 'git_push' }).innerText(), /To github:ada\/project/);
  assert.equal(await page.locator('.step').count(), 4);
  await noBadge(page);
  await page.close();
});

test('a script whose question was decided elsewhere meanwhile goes on with a click, and reads the answer', async () => {
  const page = await fromHub('decided');
  await play(page, write('f.md', 'one\n'), stage('Add f', 'f.md'), push, write('g.md', 'two\n'));
  await review(page);
  const other = await chrome.page('#/s/decided/files');
  await other.getByText('runs in another tab').waitFor();
  await page.goto('about:blank');
  await other.getByRole('button', { name: 'Waiting for you' }).click();
  await other.locator('.verdict').waitFor();
  await other.keyboard.press('r');
  await other.getByRole('dialog').getByRole('textbox').fill('Call it h.md');
  await other.keyboard.press('Control+Enter');
  await other.getByText('Rejected', { exact: true }).waitFor();
  await page.goBack();
  await go(page, 'Agent');
  await page.locator('.step.stopped', { hasText: 'git_push' }).waitFor();
  await page.getByText('Next: line 3').waitFor();
  assert.equal(await page.locator('.step').count(), 3, 'it does not run by itself');
  await look(page, 'reload-stopped');
  await page.getByRole('button', { name: 'Run one' }).click();
  await page.locator('.step.failed', { hasText: 'git_push' }).waitFor();
  assert.match(await said(page), /Call it h\.md/);
  await page.close();
  await other.close();
});

test('the longest results of a transcript are cut where there is no room, and say so', async () => {
  const page = await chrome.page();
  await make(page, 'long');
  const read = call('read_file', { path: 'a.md' });
  const lines = Array.from({ length: 3000 }, (_, at) => `${at} ${'word '.repeat(5)}\n`).join('');
  await play(page, write('a.md', lines), ...Array.from({ length: 24 }, () => read), call('git_status'));
  await played(page);
  await page.reload();
  await played(page);
  await page
    .getByText(/more characters were not kept/)
    .first()
    .waitFor();
  assert.equal(await page.locator('.step').count(), 26);
  assert.doesNotMatch(await said(page), /not kept/, 'a short one is whole');
  await page.close();
});
