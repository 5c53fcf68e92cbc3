// Messages: their place, their duration, and their links.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, git, go, kind, make, play, played, review, scratch, tabTo } from './steps.js';

const chrome = await scene();

const toast = (page: Page, text: string): Locator => page.locator('.toast', { hasText: text });
const stage = (path: string): string => call('git_stage', { files: [path], message: `Write ${path}` });
const write = (path: string): string => call('write_file', { path, content: 'a\n' });

/** Shows a message, without a change. */
async function sayTaken(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(path);
  await page.keyboard.press('Enter');
  await toast(page, `${path} already exists`).waitFor();
}

test('a message covers neither the diff nor the verdict', async () => {
  const page = await chrome.page();
  await make(page, 'covered');
  await play(page, write('a.md'), stage('a.md'), 'hand_over {}');
  await review(page);
  await go(page, 'Files');
  await sayTaken(page, 'a.md');
  await toast(page, 'already exists').hover();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.locator('.verdict').waitFor();
  for (const width of [380, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [main, verdict, message] = await page.evaluate(() =>
      ['main', '.verdict', '.toast'].map((one) => document.querySelector(one)?.getBoundingClientRect().toJSON()),
    );
    assert.ok(message.top >= main.bottom && message.top >= verdict.bottom, `at ${width}`);
    assert.ok(message.bottom <= 800);
  }
  await page.getByRole('button', { name: 'Dismiss' }).hover();
  await look(page, 'message');
  await page.close();
});

test('a note leaves after a while, but not while somebody reads it', async () => {
  const page = await chrome.page();
  await page.clock.install();
  await make(page, 'while');
  await play(page, write('a.md'));
  await played(page);
  await go(page, 'Files');
  await sayTaken(page, 'a.md');
  await toast(page, 'already exists').hover();
  await page.clock.fastForward(60_000);
  assert.ok(await toast(page, 'already exists').isVisible(), 'the pointer is on it');
  await page.mouse.move(0, 0);
  await tabTo(page, /^Dismiss$/);
  await page.clock.fastForward(60_000);
  assert.ok(await toast(page, 'already exists').isVisible(), 'the focus is in it');
  await page.keyboard.press('Shift+Tab');
  await page.clock.fastForward(60_000);
  await toast(page, 'already exists').waitFor({ state: 'detached' });
  await page.close();
});

test('an error stays, notes make room for others, and there are three at most', async () => {
  const page = await chrome.page();
  await page.clock.install();
  await make(page, 'stays');
  await play(page, write('a.md'), write('b.md'), write('c.md'));
  await played(page);
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await page.getByRole('button', { name: 'Rename or move' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('b.md');
  await page.keyboard.press('Enter');
  await page.locator('.toast.error').waitFor();
  for (const path of ['a.md', 'b.md', 'c.md']) await sayTaken(page, path);
  assert.equal(await page.locator('.toast').count(), 3);
  await page.clock.fastForward(60_000);
  await toast(page, 'c.md already exists').waitFor({ state: 'detached' });
  await page.locator('.toast.error').getByRole('button', { name: 'Try again' }).waitFor();
  await look(page, 'message-error');
  await page.locator('.toast.error').getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('.toast').waitFor({ state: 'detached' });
  await page.close();
});

test('what went wrong leads on: to all sandboxes, to a bundle with the whole history, and to the branch', async (t) => {
  const page = await chrome.page('#/s/nothing/files');
  await page.getByRole('alert').getByRole('link', { name: 'All sandboxes' }).click();
  const folder = await scratch(t);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const commit = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', 'Write'];
  for (const text of ['1\n', '2\n']) {
    await writeFile(join(folder, 'a.md'), text);
    git(folder, 'add', '.');
    git(folder, ...commit);
  }
  const bundle = join(folder, 'part.bundle');
  git(folder, 'bundle', 'create', '--quiet', bundle, 'main', '^main~1');
  await kind(page, 'Bundle');
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(bundle);
  await page.getByLabel('Name', { exact: true }).fill('part');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('alert').getByText('only a part of the history').waitFor();
  await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'git bundle create project.bundle --all');
  await look(page, 'part');
  const whole = join(folder, 'whole.bundle');
  git(folder, 'bundle', 'create', '--quiet', whole, '--all');
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(whole);
  await page.getByLabel('Branch').fill('nowhere');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('alert').getByText("no branch 'nowhere'").waitFor();
  await page.getByRole('button', { name: 'Change the branch' }).click();
  assert.ok(await page.getByLabel('Branch').evaluate((one) => one === document.activeElement));
  await page.close();
});
