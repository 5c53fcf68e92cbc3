// The built page in Chromium with a fresh profile. Every console message of a page is an error.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';

import { faults } from './look.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];
// The tests are compiled to app/.test/app/test.
const APP = new URL('../../../', import.meta.url);

export interface Chrome {
  address: string;
  context: BrowserContext;
  complaints: string[];
  /** A page at an address of the app, after some preparation. */
  page(hash?: string, first?: () => void): Promise<Page>;
  close(): Promise<void>;
}

async function serve(sandboxes: string[]): Promise<{ address: string; end: () => void }> {
  const script = fileURLToPath(new URL('scripts/serve.mjs', APP));
  const child = spawn(process.execPath, [script, '0', ...sandboxes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) return { address: line.trim(), end: () => void child.kill() };
  }
  throw new Error('the page is not served');
}

/** Logs each policy report to the console. */
function listen(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}

async function open(sandboxes: string[]): Promise<Chrome> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: apt-get install chromium`);
  const profile = await mkdtemp(join(existsSync('/dev/shm/tmp') ? '/dev/shm/tmp' : tmpdir(), 'gitgate-app-'));
  const { address, end } = await serve(sandboxes);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: ARGS,
    acceptDownloads: true,
    viewport: { width: 1280, height: 800 },
  });
  await context.addInitScript(listen);
  const complaints: string[] = [];
  return {
    address,
    context,
    complaints,
    page: async (hash = '', first) => {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('console', (message) => {
        const { url } = message.location();
        // Some tests provoke a server's error.
        const isOwn = url.startsWith(address) && !url.startsWith(`${address}sandboxes/`);
        const isElsewhere = /^http/.test(url) && !isOwn;
        if (!isElsewhere && ['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      if (first) await page.addInitScript(first);
      await page.goto(address + hash);
      return page;
    },
    close: async () => {
      // A failed test leaves its page open; the page shows what the test waited for.
      for (const [at, page] of context.pages().slice(1).entries()) {
        console.error(`left open: ${page.url()}\n${await page.locator('body').innerText()}`);
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `left-open-${at}.png`) });
      }
      await context.close();
      end();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/**
 * Chromium for the tests of a file. At their end no page has logged an error, and axe has found nothing.
 * The server of `sandboxes`, if there is one, is beside the page.
 */
export async function scene(...sandboxes: string[]): Promise<Chrome> {
  const chrome = await open(sandboxes);
  after(async () => {
    await chrome.close();
    assert.deepEqual(faults, [], 'axe finds what is serious');
    assert.deepEqual(chrome.complaints, [], 'the pages complain');
  });
  return chrome;
}
