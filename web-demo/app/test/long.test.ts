// A change in a line that fills several screens.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { words } from '../src/parts/diff/words.js';
import { scene } from './page.js';
import { call, go, make, play, played } from './steps.js';

const chrome = await scene();

/** A line of 5,000 characters, with a word in its middle. */
const long = (word: string): string => {
  const half = 'lorem ipsum, '.repeat(192);
  return `${half}${word} ${half}`;
};

test('a word that changes in a long line is marked alone, and a middle of many as one', () => {
  const [before, after] = [long('before'), long('after')];
  const at = before.indexOf('before');
  assert.ok(before.length > 4990);
  assert.deepEqual(words(before, after), [[[at, at + 6]], [[at, at + 5]]]);
  const many = (word: string): string => `${'same '.repeat(500)}${`${word} `.repeat(400)}${'same '.repeat(500)}`;
  const [[old] = [], [fresh] = []] = words(many('a'), many('bb'));
  assert.deepEqual(old, [2500, 2500 + 2 * 400 - 1]);
  assert.deepEqual(fresh, [2500, 2500 + 3 * 400 - 1]);
});

/** Whether the changed word, or its old version, is in the viewport. */
async function isInSight(page: Page, ...texts: string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const root = document.querySelector('.code, .code-host')?.shadowRoot;
    const host = root?.host.getBoundingClientRect();
    return [...(root?.querySelectorAll('.gg-word-old, .gg-word-new') ?? [])].some((mark) => {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const isInside = host && left >= host.left && right <= host.right && top >= host.top && bottom <= host.bottom;
      return wanted.includes(mark.textContent ?? '') && isInside;
    });
  }, texts);
}

const file = (first: string, second: string, between: string[]): string =>
  `${long(first)}\n${between.join('\n')}\n${long(second)}\n`;

for (const [kind, size] of [
  ['a view of code', 60],
  ['a tall diff', 3200],
] as const) {
  test(`the change in a long line is in sight in ${kind}, when it is opened and from hunk to hunk`, async () => {
    const page = await chrome.page();
    await make(page, `long-${size}`);
    // In a large diff, nearly all lines between them change, but their neighbours do not.
    const lines = Array.from({ length: size }, (_, at) => `line ${at}`);
    const changed = size > 1000 ? lines.map((line, at) => (at > 20 && at < size - 20 ? `${line}!` : line)) : lines;
    await play(
      page,
      call('write_file', { path: 'a.txt', content: file('before', 'early', lines) }),
      call('git_stage', { files: ['a.txt'], message: 'Write long lines' }),
      call('write_file', { path: 'a.txt', content: file('after', 'late', changed) }),
    );
    await played(page);
    await go(page, 'Changes');
    await page.locator('.gg-line').first().waitFor();
    for (const layout of ['Split', 'Unified']) {
      await page.getByRole('button', { name: layout, pressed: true }).waitFor();
      await isInSight(page, 'before', 'after');
      for (let at = 0; at < 3; at += 1) await page.keyboard.press(']');
      await isInSight(page, 'early', 'late');
      for (let at = 0; at < 3; at += 1) await page.keyboard.press('[');
      await isInSight(page, 'before', 'after');
      await page.keyboard.press('[');
      await isInSight(page, 'before', 'after');
      await page.keyboard.press('d');
    }
    await page.close();
  });
}
