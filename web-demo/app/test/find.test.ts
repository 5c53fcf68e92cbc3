// What is found: in a file, in a diff, and in all files.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, focused, go, make, play, played, tabTo } from './steps.js';

const chrome = await scene();

const write = (path: string, content: string): string => call('write_file', { path, content });
const editor = (page: Page, path: string): Locator => page.getByRole('textbox', { name: path });

/** A sandbox with these files. */
async function sandbox(name: string, ...calls: string[]): Promise<Page> {
  const page = await chrome.page();
  await make(page, name);
  await play(page, ...calls);
  await played(page);
  await go(page, 'Files');
  return page;
}

test('the panel that finds in a file looks like the page, and is closed by Escape', async () => {
  const page = await sandbox('panel', write('a.md', 'one two\ntwo three\n'));
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await editor(page, 'a.md').click();
  await page.keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: 'Find', exact: true });
  await field.waitFor();
  await page.keyboard.type('two');
  await page.locator('.cm-searchMatch').nth(1).waitFor();
  await look(page, 'find-panel');
  const looks = (one: Locator): Promise<string[]> =>
    one.evaluate((element) => {
      const { backgroundImage, borderRadius, color, fontFamily } = getComputedStyle(element);
      return [backgroundImage, borderRadius, color, fontFamily];
    });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const [, , color = '', font = ''] = await looks(page.locator('body'));
    const shown = await looks(page.getByRole('button', { name: 'Next', exact: true }));
    assert.deepEqual(shown, ['none', '6px', color, font], colorScheme);
  }
  for (const name of [
    'Next',
    'Previous',
    'Select all',
    'Match case',
    'Regular expression',
    'Whole word',
    'Replace',
    'Replace all',
    'Close',
  ]) {
    await tabTo(page, new RegExp(`^${name}$`));
  }
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'a.md');
  await page.close();
});
