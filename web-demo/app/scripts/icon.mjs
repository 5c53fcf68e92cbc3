// Renders the icon's PNGs from its SVG with Chromium. They are checked in, so that a build needs no
// browser.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const folder = new URL('../icon/', import.meta.url);
const svg = await readFile(new URL('icon.svg', folder), 'utf8');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const size of [16, 32, 48, 128]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  const path = fileURLToPath(new URL(`${size}.png`, folder));
  await page.screenshot({ path, omitBackground: true });
  await page.close();
}
await browser.close();
