// One sandbox in two tabs: each shows the other's changes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { look } from './look.js';
import { scene } from './page.js';
import {
  approve,
  go,
  keepToken,
  makeFromHub,
  openAll,
  play,
  played,
  push,
  review,
  said,
  stage,
  write,
} from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

/** A sandbox of the fake GitHub's repository, in two tabs. The first has the Worker. */
async function twoTabs(name: string): Promise<[Page, Page]> {
  const first = await chrome.page();
  await makeFromHub(first, hub.base, name);
  const second = await chrome.page(`#/s/${name}/files`);
  await second.getByText('runs in another tab').waitFor();
  // Each tab has a token of its own.
  await keepToken(second, name);
  await second.getByRole('treeitem', { name: 'README.md' }).waitFor();
  return [first, second];
}

/** Holds back requests that move a branch, until the caller calls the returned function. */
async function hold(): Promise<{ isHeld: Promise<void>; letGo: () => Promise<void> }> {
  let held = (): void => undefined;
  let free = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const isFree = new Promise<void>((resolve) => (free = resolve));
  const isMeant = (url: URL): boolean => url.href.startsWith(hub.base) && url.pathname.includes('/git/refs');
  await chrome.context.route(isMeant, async (route) => {
    if (route.request().method() === 'PATCH') {
      held();
      await isFree;
    }
    // The tab may have been closed.
    await route.continue().catch(() => undefined);
  });
  return { isHeld, letGo: () => (free(), chrome.context.unroute(isMeant)) };
}

test('what is done in one tab is seen in the other', async () => {
  const [first, second] = await twoTabs('seen');
  const tag = second.getByText('runs in another tab');
  assert.match((await tag.getAttribute('title')) ?? '', /Close that one, and this one takes over/);
  await play(first, write('a.md', 'one\n'), stage('Add a', 'a.md'), write('a.md', 'two\n'));
  await played(first);
  await second.getByRole('treeitem', { name: 'a.md' }).waitFor();
  await go(second, 'Changes');
  await second.getByText('1 file differs').waitFor();
  await go(first, 'Files');
  await play(second, write('b.md', 'three\n'));
  await played(second);
  await first.getByRole('treeitem', { name: 'b.md' }).waitFor();
  await look(second, 'second-tab');
  await first.close();
  await second.close();
});

test('a push that both tabs approve lands once, and both say so', async () => {
  const [first, second] = await twoTabs('twice');
  await play(first, write('c.md', 'one\n'), stage('Add c', 'c.md'), push);
  await review(first);
  await second.getByRole('button', { name: 'Waiting for you' }).click();
  await second.locator('.verdict').waitFor();
  const { isHeld, letGo } = await hold();
  const begin = async (page: Page): Promise<void> => {
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  };
  await begin(second);
  await isHeld;
  await begin(first);
  await letGo();
  for (const page of [first, second]) await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  await go(first, 'Agent');
  assert.match(await said(first), /^To github:ada\/project/);
  assert.equal(hub.requests.filter((request) => request.startsWith('PATCH')).length, 1);
  await first.close();
  await second.close();
});

test('a review that another tab has decided about goes from the screen', async () => {
  const [first, second] = await twoTabs('gone');
  await play(first, write('d.md', 'one\n'), stage('Add d', 'd.md'), push);
  await second.getByRole('button', { name: 'Waiting for you' }).click();
  await second.locator('.verdict').waitFor();
  await review(first);
  await approve(first);
  await first.getByRole('heading', { name: 'Pushed' }).waitFor();
  await second.getByText('It was decided elsewhere').waitFor();
  await second.getByText('Nothing waits for you').waitFor();
  await first.close();
  await second.close();
});

test('a tab that takes over in the middle of a push shows what is there, and says how the push ended', async () => {
  const [first, second] = await twoTabs('middle');
  await play(first, write('e.md', 'one\n'), stage('Add e', 'e.md'), push);
  await review(first);
  const { isHeld, letGo } = await hold();
  await openAll(first);
  await first.keyboard.press('a');
  await first.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await isHeld;
  await first.close();
  await letGo();
  await second.getByText(/The push to main at github:ada\/project was interrupted/).waitFor();
  await second.getByText('runs in another tab').waitFor({ state: 'detached' });
  await second.getByRole('treeitem', { name: 'e.md', exact: true }).waitFor();
  assert.equal(await second.getByText('in use').count(), 0);
  await second.close();
});
