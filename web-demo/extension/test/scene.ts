// The fixture of a test file: Chromium with the extension, its panel, and a fake GitHub.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { open } from './chrome.js';
import type { Chrome } from './chrome.js';

export interface Scene {
  browser: Chrome;
  hub: Hub;
  panel: Page;
}

/** Ends with the tests of the file. No page may have logged an error by then. */
export async function scene(): Promise<Scene> {
  const [hub, browser] = await Promise.all([Hub.start(), open()]);
  after(async () => {
    await browser.close();
    hub.close();
    assert.deepEqual(browser.complaints, []);
  });
  return { browser, hub, panel: await browser.panel() };
}
