// Stand-ins for characters that a screen would hide, and for lookalikes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Locator } from 'playwright-core';

import { unquote } from '../src/parts/quoted.js';
import { visible } from '../src/parts/stand-in.js';
import { look } from './look.js';
import { scene } from './page.js';
import { call, go, make, openAll, play, played, review } from './steps.js';

const chrome = await scene();

/** The displayed text of each, with the titles of its stand-ins in braces. */
const seen = (all: Locator): Promise<string[]> =>
  all.evaluateAll((found) =>
    found.map((one) =>
      [...one.childNodes].map((node) => (node instanceof HTMLElement ? `{${node.title}}` : node.textContent)).join(''),
    ),
  );

const SHOWN: [path: string, shown: string][] = [
  [' sp ', '{U+0020 SPACE}sp{U+0020 SPACE}'],
  ['sp', 'sp'],
  ['two words.md', 'two words.md'],
  ['two  words.md', 'two{U+0020 SPACE}{U+0020 SPACE}words.md'],
  ['d\ne.md', 'd{U+000A LINE FEED}e.md'],
  ['d\\ne.md', 'd\\ne.md'],
  ['tab\there.md', 'tab{U+0009 TAB}here.md'],
  ['no\u00a0break.md', 'no{U+00A0 NO-BREAK SPACE}break.md'],
  ['no<U+00A0>break.md', 'no<U+00A0>break.md'],
];
const names = SHOWN.map(([, shown]) => shown).sort();

test('names that differ look different on every screen, and a stand-in is no text', async () => {
  const page = await chrome.page();
  await make(page, 'names');
  const writes = SHOWN.map(([path], at) => call('write_file', { path, content: `${at}\n` }));
  await play(page, ...writes);
  await played(page);
  await go(page, 'Files');
  await page
    .getByRole('treeitem')
    .nth(SHOWN.length - 1)
    .waitFor();
  assert.deepEqual((await seen(page.locator('[role=treeitem] bdi'))).sort(), names);
  await look(page, 'names-files');
  await go(page, 'Changes');
  await page
    .locator('.patches-files .file-row')
    .nth(SHOWN.length - 1)
    .waitFor();
  assert.deepEqual((await seen(page.locator('.patches-files .file-row bdi'))).sort(), names);
  await go(page, 'History');
  await page
    .locator('.call-row')
    .nth(SHOWN.length - 1)
    .waitFor();
  const told = await seen(page.locator('.call-row .what bdi'));
  for (const name of ['d{U+000A LINE FEED}e.md', '{U+0020 SPACE}sp{U+0020 SPACE}']) {
    assert.ok(told.includes(name), `${name} is not among ${told.join(', ')}`);
  }
  await look(page, 'names-history');
  await play(page, call('git_stage', { files: ['.'], message: 'Add  names' }), 'hand_over {}');
  await review(page);
  assert.deepEqual((await seen(page.locator('[data-file] bdi'))).sort(), names);
  await look(page, 'names-review');
  await page.close();
});

const CONTENT = [
  'escape \u001b is not \\x1b',
  'override \u202e is not <U+202E>',
  'no-break\u00a0space, and a space',
  'return \r in a line',
  '',
].join('\n');

const chips = (within: Locator): Promise<string[]> =>
  within.locator('.gg-chip').evaluateAll((found) => found.map((one) => (one as HTMLElement).title));
const RAW = ['U+001B ESCAPE', 'U+202E RIGHT-TO-LEFT OVERRIDE', 'U+00A0 NO-BREAK SPACE', 'U+000D CARRIAGE RETURN'];

test('a character that is shown by a stand-in has a mark, and a text that looks like it has none', async () => {
  const page = await chrome.page();
  await make(page, 'contents');
  await play(page, call('write_file', { path: 'a.txt', content: CONTENT }));
  await played(page);
  await go(page, 'Files');
  await page.getByRole('treeitem', { name: 'a.txt' }).click();
  await page
    .locator('.cm-content .gg-chip')
    .nth(RAW.length - 1)
    .waitFor();
  assert.deepEqual(await chips(page.locator('.cm-content')), RAW);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await look(page, 'contents-file');
  await go(page, 'Changes');
  await page
    .locator('.cm-content .gg-chip')
    .nth(RAW.length - 1)
    .waitFor();
  assert.deepEqual(await chips(page.locator('.cm-content')), RAW, 'what was not changed is still there');
  assert.equal(await page.locator('.gg-escape').count(), 0);
  await play(page, call('git_stage', { files: ['.'], message: 'Add a text' }), 'hand_over {}');
  await review(page);
  await openAll(page);
  await page.locator('.cm-content .gg-escape').first().waitFor();
  assert.deepEqual(await chips(page.locator('.cm-content')), []);
  // The gate escapes all of them as text, so the page cannot tell.
  const escapes = await page
    .locator('.gg-escape')
    .evaluateAll((found) => found.map((one) => (one as HTMLElement).title));
  const [escape, override, blank, end] = RAW.map((title) => `${title}, or this very text`);
  assert.deepEqual(escapes, [escape, escape, override, override, blank, end]);
  await look(page, 'contents-review');
  await page.close();
});

test('a large diff marks the same characters', async () => {
  const page = await chrome.page();
  await make(page, 'large');
  const content = CONTENT + 'line\n'.repeat(4000);
  await play(
    page,
    call('write_file', { path: 'a.txt', content }),
    call('git_stage', { files: ['.'], message: 'Add a text' }),
    'hand_over {}',
  );
  await review(page);
  await page.locator('.gg-tall .gg-escape').first().waitFor();
  assert.deepEqual(await chips(page.locator('.gg-tall')), []);
  assert.equal(await page.locator('.gg-tall .gg-escape').count(), 6);
  await page.close();
});

test('quoted names are read byte for byte, and where there are no elements a stand-in stays apart, too', () => {
  assert.equal(unquote('"d\\ne.md"'), 'd\ne.md');
  assert.equal(unquote('"d\\\\ne.md"'), 'd\\ne.md');
  assert.equal(unquote('"\\303\\251.md"'), 'é.md');
  assert.notEqual(unquote('"\\377.md"'), unquote('"\\376.md"'));
  assert.equal(visible(unquote('"a\\377\\303\\251"'), 'name'), 'a<0xFF>é');
  assert.notEqual(visible('\u202e'), visible('<U+202E>'));
  assert.equal(visible(' a b ', 'name'), '<U+0020>a b<U+0020>');
});
