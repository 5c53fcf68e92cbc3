// Syntax colours: in files, in diffs, and in the blame.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { bundleOf, go, makeFromBundle, scratch } from './steps.js';
import type { Content } from './steps.js';

const chrome = await scene();

/** A file, and the keyword, string, name or number in it. */
const FILES: [path: string, content: string, coloured: string][] = [
  ['a.go', 'func main() {}\n', 'func'],
  ['a.toml', '[package]\nname = "it"\n', '"it"'],
  ['a.yaml', 'name: 1\n', 'name'],
  ['.github/workflows/ci.yml', 'on: push\n', 'on'],
  ['run.sh', 'if true; then echo "a"; fi\n', 'if'],
  ['a.c', 'int main(void) { return 0; }\n', 'return'],
  ['a.cpp', 'class A {};\n', 'class'],
  ['a.h', 'struct A;\n', 'struct'],
  ['A.java', 'class A {}\n', 'class'],
  ['a.sql', 'SELECT 1;\n', 'SELECT'],
  ['a.xml', '<a b="c"/>\n', '"c"'],
  ['a.php', '<?php function a() {}\n', 'function'],
  ['a.rb', 'def a\nend\n', 'end'],
  ['A.cs', 'class A {}\n', 'class'],
  ['A.kt', 'fun main() {}\n', 'fun'],
  ['A.swift', 'func a() {}\n', 'func'],
  ['Dockerfile', 'FROM alpine\n', 'FROM'],
  ['deploy/Dockerfile.dev', 'RUN true\n', 'RUN'],
  ['Makefile', 'all:\n\tif true; then echo; fi\n', 'if'],
  ['a.patch', '--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n', '+two'],
  ['a.ini', '[a]\nb=1\n', 'b'],
  ['a.properties', 'key=value\n', 'key'],
  ['.bashrc', 'export A=1\n', 'export'],
  ['Cargo.lock', 'version = 3\n', '3'],
  ['Gemfile', "gem 'rails'\n", "'rails'"],
  ['a.ts', 'const a = 1;\n', 'const'],
  ['A.RS', 'fn a() {}\n', 'fn'],
];

const COLOURS = '.gg-keyword, .gg-string, .gg-number, .gg-name';

test('what people write has its colours, by its ending and by names that are known', async (t) => {
  const files: Content[] = FILES.map(([path, content]) => ({ path, content }));
  // A name of JavaScript's own prototype is not a language.
  files.push({ path: 'a.constructor', content: 'if (a) return 1;\n' });
  const folder = await scratch(t);
  const bundle = await bundleOf(folder, files, { author: 'Ada', message: 'Write in all languages' });
  const page = await chrome.page();
  await makeFromBundle(page, bundle, 'languages');
  for (const [path, , coloured] of FILES) {
    await page.goto(`${chrome.address}#/s/languages/files/${path}`);
    await page.getByRole('textbox', { name: path, exact: true }).waitFor();
    const exact = new RegExp(`^${coloured.replaceAll(/[[\]+]/g, '\\$&')}$`);
    await page.locator('.cm-line').locator(COLOURS).filter({ hasText: exact }).first().waitFor();
  }
  await page.goto(`${chrome.address}#/s/languages/files/a.constructor`);
  await page.getByRole('textbox', { name: 'a.constructor' }).waitFor();
  assert.equal(await page.locator('.cm-line').locator(COLOURS).count(), 0);
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'a.go' }).click();
  await page.locator('.cm-line').locator('.gg-keyword').filter({ hasText: 'func' }).waitFor();
  await page.close();
});

const colourOf = (page: Page, text: string): Promise<string> =>
  page
    .locator(COLOURS)
    .filter({ hasText: new RegExp(`^${text}$`) })
    .first()
    .evaluate((element) => getComputedStyle(element).color);

test('the blame has the colours of the file, shows what is hidden, and has all lines', async (t) => {
  const lines = Array.from({ length: 12_000 }, (_, at) => `const line${at} = 'a\u202eb\u{e0041}😀'; // ${at}`);
  const files = [
    { path: 'long.ts', content: `${lines.join('\n')}\n` },
    { path: 'huge.txt', content: `${'x'.repeat(70)}\n`.repeat(90_000) },
  ];
  const bundle = await bundleOf(await scratch(t), files, { author: 'Ada', message: 'Write much' });
  const page = await chrome.page();
  await makeFromBundle(page, bundle, 'blame');
  await page.goto(`${chrome.address}#/s/blame/files/long.ts`);
  await page.locator('.cm-line .gg-keyword').first().waitFor();
  const own = await colourOf(page, 'const');
  await page.getByRole('link', { name: 'Blame' }).click();
  const table = page.getByRole('table', { name: 'Blame' });
  await table.locator('.gg-keyword').first().waitFor();
  assert.equal(await colourOf(page, 'const'), own);
  const [first] = await table.locator('.blame-line').all();
  assert.equal(await first?.innerText(), "const line0 = 'aU+202EbU+E0041😀'; // 0");
  assert.deepEqual(await first?.locator('.chip-hidden').allInnerTexts(), ['U+202E', 'U+E0041']);
  await look(page, 'blame-colours');
  const shown = await table.getByRole('row').count();
  assert.ok(shown < 2000, `${shown} rows are on the page`);
  await table.evaluate((one) => void (one.scrollTop = one.scrollHeight));
  const last = table.getByRole('row').filter({ hasText: 'line11999' });
  await last.locator('.gg-keyword').waitFor();
  assert.equal(await last.getAttribute('aria-rowindex'), '12000');
  await page.goto(`${chrome.address}#/s/blame/blame/huge.txt`);
  const more = page.getByRole('button', { name: 'Show more' });
  await page.locator('.blame-row').first().waitFor();
  await page.getByText(/^Lines after [\d,]+ are not shown$/).waitFor();
  assert.equal(await table.getAttribute('aria-rowcount'), '-1');
  const isWhole = async (): Promise<boolean> => {
    await page.locator('.blame[aria-busy=false]').waitFor();
    return (await more.count()) === 0;
  };
  while (!(await isWhole())) await more.click();
  await table.evaluate((one) => void (one.scrollTop = one.scrollHeight));
  await page.locator('[aria-rowindex="90000"]').waitFor();
  assert.equal(await table.getAttribute('aria-rowcount'), '90000');
  await page.close();
});
