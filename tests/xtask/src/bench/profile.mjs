// Chromium with a fresh profile, by the playwright of `web-demo`.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** What does something with an empty page of a fresh profile in `folder`. */
export async function profiles(web, executablePath, folder) {
  const playwright = createRequire(join(web, 'package.json')).resolve('playwright-core');
  const { default: { chromium } } = await import(pathToFileURL(playwright).href);
  return async (work) => {
    const profile = mkdtempSync(join(folder, 'profile-'));
    const viewport = { width: 1280, height: 800 };
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      args: [...ARGS, ...QUIET],
      viewport,
    });
    try {
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(String(error)));
      return await work(page);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  };
}
