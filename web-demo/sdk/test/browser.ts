// Chromium with a fresh profile, and pages with the SDK as `gitgate`.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';

import { serveDist } from './serve.js';
import type { Served } from './serve.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

export type Sdk = typeof import('../src/index.js');

declare global {
  // The globals that `page` adds for code in the page.
  var gitgate: Sdk;
}

export interface Browser {
  served: Served;
  context: BrowserContext;
  /** A page with the SDK. Every console message is an error at the end. */
  page(at: string): Promise<Page>;
  close(): Promise<void>;
}

/** `elsewhere` are further files to serve, by their paths. */
export async function browser(elsewhere: { [path: string]: string } = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: apt-get install chromium`);
  const profile = await mkdtemp(join(existsSync('/dev/shm/tmp') ? '/dev/shm/tmp' : tmpdir(), 'gitgate-'));
  const served = await serveDist(elsewhere);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [...ARGS, ...QUIET],
  });
  const complaints: string[] = [];
  return {
    served,
    context,
    page: async (at) => {
      const page = await context.newPage();
      page.on('console', (message) => {
        // Some tests are about servers that do not answer.
        const { url } = message.location();
        const isElsewhere = /^http/.test(url) && (!url.startsWith(at) || url.endsWith('/none.wasm'));
        const isWrong = message.type() === 'error' || message.type() === 'warning';
        if (isWrong && !isElsewhere) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(at);
      await page.evaluate(async () => {
        globalThis.gitgate = await import(new URL('/src/index.js', location.href).href);
      });
      return page;
    },
    close: async () => {
      await context.close();
      served.close();
      await rm(profile, { recursive: true, force: true });
      if (complaints.length > 0) throw new Error(`the pages complain:\n${complaints.join('\n')}`);
    },
  };
}
