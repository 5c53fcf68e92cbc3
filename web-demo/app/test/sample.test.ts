// The main job with the built-in sample, by keyboard alone, and the look of each screen.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { call, git, go, kept, make, openAll, play, played, review, scratch, tabTo } from './steps.js';

const chrome = await scene();

test('the sample is played, rejected, mended and approved by keys alone, and git clones the bundle', async (t) => {
  const folder = await scratch(t);
  const page = await chrome.page();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByText('Nothing leaves until you approve').waitFor();
  await look(page, 'start');
  await tabTo(page, /^Empty$/);
  await press('Enter');
  await tabTo(page, /^Create sandbox$/);
  await press('Enter');
  await page.getByText('No files yet').waitFor();
  await press('g', 'a');
  await page.getByText('What the agent reads').waitFor();
  await look(page, 'agent-empty');
  await tabTo(page, /^Load the sample$/);
  await press('Enter');
  await page.getByText('Next: line 2').waitFor();
  await press('Shift+N');
  await page.getByText('It waits for your answer').waitFor();
  await look(page, 'agent');
  await press('g', 'w');
  await page.locator('.verdict').waitFor();
  await look(page, 'review');
  await press('a');
  await page.getByText(/Open \d high-risk files? first/).waitFor();
  await openAll(page);
  await page.getByText('Contains invisible').first().waitFor();
  await press('r');
  await page.getByRole('dialog').waitFor();
  await look(page, 'reject');
  await page.keyboard.type('There is a hidden character in the role.');
  await press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The agent fixes it, and asks again. The question waits until the rejection is closed.
  await page.getByRole('button', { name: 'Review the next' }).waitFor();
  await press('g', 'w');
  await page.locator('[data-file]').first().waitFor();
  await openAll(page);
  await press('v');
  await page.getByText('1 reviewed').waitFor();
  assert.equal(await page.locator('.review').getByText('invisible').count(), 0, 'it was mended');
  const downloading = page.waitForEvent('download');
  await press('a');
  const file = await kept(downloading, join(folder, 'sample.bundle'));
  await page.getByText('Bundle downloaded').waitFor();
  await look(page, 'outcome');
  git(folder, 'clone', '--quiet', '--branch', 'main', file, 'clone');
  assert.match(await readFile(join(folder, 'clone/src/admin.js'), 'utf8'), /role === "admin";/);
  await press('g', 'a');
  const read = await page.getByRole('log', { name: 'Calls and results' }).innerText();
  assert.match(read, /There is a hidden character in the role/);
  assert.match(read, /Only the user can call git_revise/);
  assert.match(read, /Path outside sandbox/);
  await page.close();
});

test('a file is found, edited and saved, and its change staged, by keys alone', async () => {
  const page = await chrome.page('#/s/sandbox/files');
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await look(page, 'palette');
  await page.keyboard.type('weather.js');
  await page.getByRole('option', { name: 'src/weather.js' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('encodeURIComponent').waitFor();
  await look(page, 'files');
  await tabTo(page, /^src\/weather\.js$/);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// Weather.\n');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByText('1 file differs from the last commit').waitFor();
  await page.locator('.patches').waitFor();
  await look(page, 'changes');
  await tabTo(page, /^Stage…/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Stage the changes' }).waitFor();
  await page.keyboard.type('Say what it is');
  await page.keyboard.press('Control+Enter');
  await page.locator('.commit-row', { hasText: 'Say what it is' }).waitFor();
  await page.close();
});

test('each screen of the workspace passes', async () => {
  const page = await chrome.page('#/s/sandbox/blame/src/weather.js');
  await page.getByRole('table', { name: 'Blame' }).waitFor();
  await look(page, 'blame');
  for (const [tab, sign] of [
    ['Commits', '.commit-row'],
    ['History', '.call-row'],
    ['Audit', '.audit-row'],
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

test('the tabs stay where one points at them, whatever the sandbox has to tell', async () => {
  const page = await chrome.page();
  await make(page, 'steady');
  await play(page, call('write_file', { path: 'a.md', content: 'a' }));
  await played(page);
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('link', { name: 'steady' }).waitFor();
  const places = await page.evaluate(async () => {
    const seen = new Set<string>();
    [...document.querySelectorAll('a')].find(({ textContent }) => textContent.includes('steady'))?.click();
    // A file in the tree and a count of changes come last.
    while (!document.querySelector('.tabs .count') || !document.querySelector('[role=treeitem]')) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const tabs = [...document.querySelectorAll('.tabs a')].map((tab) => Math.round(tab.getBoundingClientRect().x));
      if (tabs.length > 0) seen.add(tabs.join(' '));
    }
    return [...seen];
  });
  assert.equal(places.length, 1, places.join('\n'));
  await page.close();
});

test('the count of changes keeps off the next tab, and a message off the latest result', async () => {
  const page = await chrome.page();
  await page.setViewportSize({ width: 380, height: 800 });
  await make(page, 'narrow');
  const write = (at: number): string => call('write_file', { path: `${at}.md`, content: 'a\u200b' });
  const stage = call('git_stage', { files: ['0.md'], message: 'Write it' });
  await play(page, ...Array.from({ length: 12 }, (_, at) => write(at)), stage, 'hand_over {}');
  await review(page);
  // A message that stays for a while.
  await page.keyboard.press('a');
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('It says nothing.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go(page, 'Agent');
  const result = page.locator('.step.failed', { hasText: 'It says nothing' });
  const toast = page.locator('.toast', { hasText: 'high-risk' });
  await result.waitFor();
  // The result scrolls into place once the message appears.
  await page.waitForFunction(() => {
    const [step, message] = ['.step:nth-last-of-type(1)', '.toast'].map((one) => document.querySelector(one));
    return step && message && step.getBoundingClientRect().bottom <= message.getBoundingClientRect().top;
  });
  assert.ok(await toast.isVisible());
  const [count, next] = await page.evaluate(() => {
    const of = document.querySelector('.tabs .count');
    const text = document.createRange();
    text.selectNodeContents(of?.closest('a')?.nextElementSibling?.querySelector('span') ?? document.body);
    return [of?.getBoundingClientRect().right ?? 0, text.getBoundingClientRect().left];
  });
  assert.ok(count + 4 <= next, `the count ends at ${count}, and the next tab begins at ${next}`);
  await page.close();
});

test('one walks back in the history, and what was undone is gone', async () => {
  const page = await chrome.page('#/s/sandbox/history');
  await page.locator('.call-row').first().waitFor();
  const before = await page.locator('.call-row').count();
  await page.getByRole('button', { name: /^Restore to here, before the latest 2 calls$/ }).click();
  await page.getByRole('dialog', { name: 'Restore to here?' }).getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored: the latest 2 calls are undone').waitFor();
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'src' }).click();
  await page.getByRole('treeitem', { name: 'weather.js' }).click();
  await page.getByText('encodeURIComponent').waitFor();
  assert.equal(await page.getByText('// Weather.').count(), 0);
  await go(page, 'History');
  await page.locator('.call-row').first().waitFor();
  assert.ok((await page.locator('.call-row').count()) <= before);
  // An undo is not a call that one could go back to, and is in nobody's way.
  await page.getByRole('button', { name: /^Undo / }).click();
  await page.getByRole('dialog', { name: 'Undo the latest call?' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.', { exact: true }).waitFor();
  await page.close();
});

test('a sandbox is copied and deleted, and what it was is gone', async () => {
  const page = await chrome.page();
  await page.getByRole('button', { name: 'Copy sandbox' }).click();
  await page.getByRole('dialog', { name: 'Copy sandbox' }).getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('link', { name: 'sandbox-copy' }).waitFor();
  await look(page, 'start-full');
  await page.getByRole('button', { name: 'Delete sandbox-copy' }).click();
  await page.getByRole('dialog', { name: 'Delete sandbox?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'sandbox-copy' }).waitFor({ state: 'detached' });
  await page.goto(`${chrome.address}#/s/sandbox-copy/files`);
  await page.getByText("there is no sandbox 'sandbox-copy' here").waitFor();
  await look(page, 'not-found');
  await page.close();
});

test('a long name is read in whole in a dialog', async () => {
  const page = await chrome.page();
  const name = 'n'.repeat(100);
  await make(page, name);
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog', { name: 'Delete sandbox?' }).waitFor();
  await look(page, 'delete-long');
  await page.keyboard.press('Escape');
  await page.close();
});

test('what is written while a file is saved stays in the editor', async () => {
  const page = await chrome.page();
  await make(page, 'saved');
  await play(page, call('write_file', { path: 'a.md', content: '' }));
  await played(page);
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  const editor = page.getByRole('textbox', { name: 'a.md' });
  await editor.click();
  await page.keyboard.type('one');
  // The key and its effect come before the file is read again.
  await page.keyboard.press('Control+s');
  await page.keyboard.type('two');
  await page.getByText('Saved.').waitFor();
  await page.getByText('unsaved', { exact: true }).waitFor();
  assert.equal(await editor.innerText(), 'onetwo');
  await page.keyboard.press('Control+s');
  await page.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' });
  await page.close();
});
