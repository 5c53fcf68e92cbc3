// Checks a page's look: axe finds nothing serious, and nothing is cut off, in light and dark, narrow and
// wide. With SHOTS set to a folder, it saves screenshots there.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** axe's findings. A test file checks them at its end. */
export const faults: string[] = [];
const SHOTS = process.env.SHOTS;

async function judge(page: Page, name: string): Promise<void> {
  // On a busy machine, what is placed by observers of sizes follows a narrower page some frames later.
  const fits = page.waitForFunction(
    () => document.documentElement.scrollWidth <= innerWidth,
    undefined,
    { timeout: 2000 },
  );
  if (!(await fits.then(() => true, () => false))) faults.push(`${name}: it is wider than the page`);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('dialog[open], .bar-row')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ className, textContent }) => `${className}: ${textContent}`),
  );
  faults.push(...cut.map((part) => `${name}: it is wider than its place: ${part}`));
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (Reflect.get(globalThis, 'axe') as Axe).run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
  faults.push(...found.map((fault) => `${name}: ${fault}`));
}

const WIDTHS = SHOTS ? [380, 1280, 1920] : [380, 1280];

/** Leaves the page at the second of the widths. */
export async function look(page: Page, name: string, widths = WIDTHS): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`) });
      await judge(page, `${name} at ${width} in ${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: widths[1] ?? 1280, height: 800 });
}
