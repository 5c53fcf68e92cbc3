// Search in a file, in a diff, and in all files.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, focused, go, make, play, played, tabTo, write } from './steps.js';

const chrome = await scene();

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

const bar = (page: Page): Locator => page.getByRole('search', { name: 'Find in the diff' });

/** Waits until this text is marked as the current match, and in the viewport. */
const isMarked = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction((text) => {
    for (const { shadowRoot } of document.querySelectorAll('.code, .code-host')) {
      const mark = shadowRoot?.querySelector('.gg-hit-now');
      if (!mark || !shadowRoot || mark.textContent !== text) continue;
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const host = shadowRoot.host.getBoundingClientRect();
      if (left >= host.left && right <= host.right && top >= host.top && bottom <= host.bottom) return true;
    }
    return false;
  }, text);

async function says(page: Page, text: string): Promise<void> {
  await bar(page)
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor();
}

/** Searches the visible diff with keys alone. Each side of it has four needles and three Needles, in turn. */
async function findsAll(page: Page, count: number): Promise<void> {
  await page.keyboard.press('/');
  await bar(page).waitFor();
  await page.keyboard.type('needle');
  await says(page, `1 of ${count}`);
  for (let at = 2; at <= count; at += 1) {
    await page.keyboard.press('Enter');
    await says(page, `${at} of ${count}`);
    await isMarked(page, ((at - 1) % 7) % 2 === 0 ? 'needle' : 'Needle');
  }
  await page.keyboard.press('Enter');
  await says(page, `1 of ${count}`);
  await page.keyboard.press('Shift+Enter');
  await says(page, `${count} of ${count}`);
  await bar(page).getByRole('checkbox', { name: 'Match case' }).check();
  await says(page, `1 of ${(count / 7) * 4}`);
  await bar(page).getByRole('checkbox', { name: 'Match case' }).uncheck();
  await bar(page).getByRole('button', { name: 'Next' }).click();
  await says(page, `2 of ${count}`);
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await page.locator('.gg-hit').first().waitFor({ state: 'detached' });
}

/** Lines of which some contain a needle, far from each other. */
const hay = (lines: number, count: number): string[] =>
  Array.from({ length: lines }, (_, at) => {
    const nth = Math.floor((at * count) / lines);
    const has = Math.ceil((nth * lines) / count) === at;
    return has ? `there is a ${nth % 2 === 0 ? 'needle' : 'Needle'} in ${at}` : `line ${at} of hay`;
  });

for (const [kind, size] of [
  ['a view of code', 900],
  ['a tall one', 20_000],
] as const) {
  test(`all rows of a diff are found in ${kind}, drawn or not, side by side and unified`, async () => {
    const name = `hay-${size}`;
    const lines = hay(size, 7);
    const before = lines.map((line, at) => (at % 100 === 50 ? `${line} before` : line));
    const page = await sandbox(
      name,
      write('a.txt', `${before.join('\n')}\n`),
      call('git_stage', { files: ['a.txt'], message: 'Write hay' }),
    );
    await go(page, 'Commits');
    await page.locator('.gg-line').first().waitFor();
    await findsAll(page, 7);
    await play(page, write('a.txt', `${lines.map((line) => `${line}!`).join('\n')}\n`));
    await played(page);
    await go(page, 'Changes');
    await page.locator('.gg-line').first().waitFor();
    await findsAll(page, 14);
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Unified', pressed: true }).waitFor();
    await findsAll(page, 14);
    await tabTo(page, /^Changes of a\.txt$/);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('needle');
    await says(page, '1 of 14');
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'Changes of a.txt', 'the focus is where it was');
    await page.keyboard.press('d');
    if (size < 1000) {
      await page.keyboard.press('/');
      await page.keyboard.type('needle');
      await page.keyboard.press('Enter');
      await look(page, 'find-bar');
    }
    await page.close();
  });
}

const searchFor = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Search for' }).fill(text);
  await page.keyboard.press('Enter');
};
const found = (page: Page): Locator => page.getByRole('region', { name: 'Matches' });
const says1 = (page: Page, text: string): Promise<void> => found(page).getByText(text, { exact: true }).waitFor();

test('all files are searched, and a match leads to its line', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => (at === 199 ? 'const Needle = "a.b";' : `line ${at + 1}`));
  const page = await sandbox(
    'search',
    write('src/long.ts', `${lines.join('\n')}\n`),
    write('notes/needle.md', 'A needle, and a\u202eNEEDLE.\n\tneedles (again)\naxb\n'),
    write('other.md', '<b>needle</b>\n'),
  );
  await page.getByRole('button', { name: 'Search in files' }).click();
  await page.getByRole('textbox', { name: 'Search for' }).waitFor();
  await page.keyboard.type('needle');
  await page.keyboard.press('Enter');
  await says1(page, '4 matches in 3 files');
  assert.deepEqual(await page.locator('.hit').allInnerTexts(), ['needle', 'NEEDLE', 'needle', 'needle', 'Needle']);
  assert.equal(await page.locator('.found-line .chip-hidden').innerText(), 'U+202E');
  await look(page, 'search');
  await page.getByRole('checkbox', { name: 'Match case' }).check();
  await says1(page, '3 matches in 2 files');
  await page.getByRole('textbox', { name: 'Files' }).fill('notes/**');
  await page.keyboard.press('Enter');
  await says1(page, '2 matches in 1 file');
  await searchFor(page, 'a.b');
  await page.getByText('No matches').waitFor();
  await page.getByRole('checkbox', { name: 'Regular expression' }).check();
  await says1(page, '1 match in 1 file');
  await searchFor(page, '(');
  await page.getByRole('alert').getByText('Invalid pattern').waitFor();
  await page.getByRole('checkbox', { name: 'Regular expression' }).uncheck();
  await says1(page, '1 match in 1 file');
  await page.getByRole('textbox', { name: 'Files' }).fill('');
  await searchFor(page, 'Needle');
  await page.locator('.found-line').click();
  await editor(page, 'src/long.ts').waitFor();
  const line = page.locator('.cm-activeLine');
  await line.filter({ hasText: 'const Needle' }).waitFor();
  const box = await line.boundingBox();
  assert.ok(box && box.y > 0 && box.y < 800, 'the line is in sight');
  assert.equal(await focused(page), 'src/long.ts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('/');
  await says1(page, '1 match in 1 file');
  assert.equal(await focused(page), 'Search for');
  await page.getByRole('button', { name: 'Back to the files' }).click();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('textbox', { name: 'Search for' }).waitFor();
  await page.close();
});

test('a search that the tool cuts goes on until all is shown', async () => {
  const many = (count: number): string => 'needle\n'.repeat(count);
  const page = await sandbox(
    'many',
    write('a/a.txt', many(400)),
    write('a/b.md', many(10)),
    write('b.txt', many(400)),
    write('c/d/e.txt', many(300)),
    write('z.txt', many(1)),
  );
  await page.keyboard.press('Control+Shift+F');
  await searchFor(page, 'needle');
  await says1(page, '500 matches in 3 files so far');
  await page.getByRole('button', { name: 'Show more' }).click();
  await says1(page, '1,000 matches in 4 files so far');
  await page.getByRole('button', { name: 'Show more' }).click();
  await says1(page, '1,111 matches in 5 files');
  assert.equal(await page.locator('.found-line').count(), 1111);
  await page.getByRole('textbox', { name: 'Files' }).fill('**/*.txt');
  await page.keyboard.press('Enter');
  // While a page is sought, a click for more asks for nothing.
  await says1(page, '500 matches in 2 files so far');
  await page.getByRole('button', { name: 'Show more' }).click();
  await says1(page, '1,000 matches in 3 files so far');
  await page.getByRole('button', { name: 'Show more' }).click();
  await says1(page, '1,101 matches in 4 files');
  await page.getByRole('textbox', { name: 'Files' }).fill('');
  await play(page, write('a/a.txt', many(1200)));
  await played(page);
  await page.keyboard.press('Control+Shift+F');
  await searchFor(page, 'needle');
  const more = page.getByRole('button', { name: 'Show more' });
  for (const count of [
    '500 matches in 1 file so far',
    '1,000 matches in 1 file so far',
    '1,500 matches in 3 files so far',
  ]) {
    await says1(page, count);
    await more.click();
  }
  await says1(page, '1,911 matches in 5 files');
  await page.close();
});
