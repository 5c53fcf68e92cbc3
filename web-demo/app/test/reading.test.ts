// A review shows what a program reads in a file, whatever git takes it for, and names what a person would
// overlook.

import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, make, play, review } from './steps.js';

const chrome = await scene();

const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });
const shown = (page: Page, text: string | RegExp): Locator => page.locator('.review-content').getByText(text);

const WIDE = Buffer.from('\ufeffInvoke-Expression evil\r\n', 'utf16le').toString('base64');
const FAR = `let a = 1;${' '.repeat(1600)}evil();\n`;

test('text that git takes for binary, letters that look like others, and text far to the right are in sight', async () => {
  const page = await chrome.page();
  await make(page, 'reading');
  await play(
    page,
    call('write_file', { path: 'build.ps1', content: WIDE, encoding: 'base64' }),
    call('write_file', { path: 'far.js', content: FAR }),
    call('write_file', { path: 'login.rs', content: 'if is_\u0430dmin() {}\n' }),
    call('git_stage', { files: ['.'], message: 'Three' }),
    'hand_over {}',
  );
  await review(page);
  await row(page, /build\.ps1/).click();
  await shown(page, 'Binary to git, shown as UTF-16').waitFor();
  await shown(page, 'Invoke-Expression evil').waitFor();
  await page.getByLabel('Risks of this file').getByText(/takes for binary/).waitFor();
  await look(page, 'reading');
  await row(page, /far\.js/).click();
  await page.locator('.gg-escape', { hasText: '<1600 spaces>' }).waitFor();
  await shown(page, /evil\(\);/).waitFor();
  await row(page, /login\.rs/).click();
  await page.locator('.gg-escape', { hasText: '<U+0430>' }).waitFor();
  await page.getByLabel('Risks of this file').getByText(/look like others.*line 1/).waitFor();
  await page.close();
});
