// The command palette: its results, and where the focus goes afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, focused, go, make, play, played } from './steps.js';

const chrome = await scene();

const PATHS = ['src/main.ts', 'src/domain.ts', 'src/a/market/inner.md', 'README.md'];
const option = (page: Page): Locator => page.getByRole('option');
const title = (page: Page): Locator => option(page).first().locator('bdi');

async function box(name: string): Promise<Page> {
  const page = await chrome.page();
  await make(page, name);
  await play(page, ...PATHS.map((path) => call('write_file', { path, content: `${path}\n` })));
  await played(page);
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  return page;
}

async function palette(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command or file' }).fill(typed);
}

async function waitForFocus(page: Page, label: string): Promise<void> {
  await page.waitForFunction((label) => {
    let now = document.activeElement;
    while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
    return now?.getAttribute('aria-label') === label || now?.localName === label;
  }, label);
}

test('a few letters find a file, the best first, and the letters are marked', async () => {
  const page = await box('found');
  await palette(page, 'smain');
  await option(page).first().waitFor();
  assert.equal(await title(page).innerText(), 'src/main.ts');
  assert.deepEqual(await title(page).locator('mark').allInnerTexts(), ['s', 'm', 'a', 'i', 'n']);
  await look(page, 'palette-found');
  await page.getByRole('combobox').fill('hist');
  assert.equal(await title(page).innerText(), 'History');
  await page.getByRole('combobox').fill('zzz');
  await page.getByText('Nothing has this name').waitFor();
  await page.close();
});

test('the focus goes to the file that was chosen, and to the screen that a command opens', async () => {
  const page = await box('focus');
  await palette(page, 'dom');
  await page.keyboard.press('Enter');
  await waitForFocus(page, 'src/domain.ts');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('typed ');
  await page.getByRole('textbox', { name: 'src/domain.ts' }).filter({ hasText: 'typed src/domain.ts' }).waitFor();
  await palette(page, 'domain');
  await page.keyboard.press('Enter');
  await waitForFocus(page, 'src/domain.ts');
  await palette(page, 'history');
  await page.keyboard.press('Enter');
  await page.locator('.call-row').first().waitFor();
  await waitForFocus(page, 'main');
  await palette(page, 'history');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'README.md' }).click();
  await page.getByRole('textbox', { name: 'README.md' }).waitFor();
  assert.notEqual(await focused(page), 'README.md', 'who has not chosen it there stays in the tree');
  await page.close();
});

test('whoever looks for a file before all are known is told so', async () => {
  const page = await box('unknown');
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message: { args?: { tool?: string; arguments?: string } }) {
      if (message.args?.tool !== 'list_files') return postMessage.call(this, message);
      const none = message.args.arguments?.replace(/"max_bytes":\d+/, '"max_bytes":1');
      const rest = { ...message, args: { ...message.args, arguments: none } };
      Reflect.set(window, 'list', () => postMessage.call(this, rest));
    };
  });
  await page.reload();
  await page.waitForFunction(() => Reflect.has(window, 'list'));
  await palette(page, 'main');
  await page.getByText('Still reading the files').waitFor();
  assert.equal(await page.getByText('Nothing has this name').count(), 0);
  await page.evaluate(() => void Reflect.get(window, 'list')());
  await page.getByText('Not all files are listed here').waitFor();
  await page.close();
});
