// Chromium for the tests of a file, with isolated and ordinary pages.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { TestContext } from 'node:test';

import type { Page } from 'playwright-core';

import { browser } from './browser.js';

export const chrome = await browser();
after(() => chrome.close());

export type Kind = 'plain' | 'isolated';

/** Runs a test in both kinds of page. */
export function both(name: string, run: (page: Page, t: TestContext, kind: Kind) => Promise<void>): void {
  for (const kind of ['plain', 'isolated'] as const) {
    test(`${name} (${kind})`, async (t) => {
      const page = await chrome.page(chrome.served[kind]);
      assert.equal(await page.evaluate(() => crossOriginIsolated), kind === 'isolated');
      await run(page, t, kind);
      await page.close();
    });
  }
}
