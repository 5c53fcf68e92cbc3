// Chromium in its own process group, so that the test can kill it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

type StoragePage = typeof import('./page.js');

declare global {
  // The globals that `load` adds for code in the page.
  var storagePage: StoragePage;
}

export interface Chromium {
  page: Page;
  /** Kills all its processes at once. */
  kill(): Promise<void>;
}

/** Starts Chromium on a page at that address, which has `storagePage`. */
export async function start(profile: string, at: string): Promise<Chromium> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}: apt-get install chromium`);
  const all = [...ARGS, `--user-data-dir=${profile}`, 'about:blank'];
  // A separate process group, so that nothing of it survives.
  const child = spawn(CHROMIUM, all, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exited;
  };
  try {
    let address: string | undefined;
    const lines = createInterface({ input: child.stderr });
    lines.on('line', (line) => {
      address ??= /^DevTools listening on (ws:.*)$/.exec(line)?.[1];
      if (address) lines.emit('found');
    });
    await Promise.race([once(lines, 'found'), exited]);
    if (!address) throw new Error('Chromium has ended');
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    if (!context) throw new Error('Chromium has no window');
    const page = await context.newPage();
    await load(page, at);
    return { page, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** Loads a page, or loads it again. */
export async function load(page: Page, at: string): Promise<void> {
  await page.goto(at);
  await page.evaluate(async () => {
    globalThis.storagePage = await import(new URL('/test/storage/page.js', location.href).href);
  });
}
