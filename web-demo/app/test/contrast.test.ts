// Colours set in code are readable on every background of a diff or an editor, even on those that no page
// checked by axe happens to show.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scene } from './page.js';

const chrome = await scene();

const TEXTS = ['text', 'muted', 'code-keyword', 'code-string', 'code-number', 'code-name'];
const GROUNDS = ['surface', 'raised', 'added', 'deleted', 'word-added', 'word-deleted', 'selection', 'match', 'match-now'];
/** WCAG 2.2, 1.4.3. */
const LEAST = 4.5;

function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((of255) => {
    const value = of255 / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: number[], other: number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('each colour of code has its contrast on each ground, light and dark', async () => {
  const page = await chrome.page();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colours = await page.evaluate(
      (names) => {
        const probe = document.createElement('span');
        document.body.append(probe);
        const found = names.map((name) => {
          probe.style.color = `var(--${name})`;
          return getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
        });
        probe.remove();
        return found;
      },
      [...TEXTS, ...GROUNDS],
    );
    TEXTS.forEach((text, at) =>
      GROUNDS.forEach((ground, on) => {
        const ratio = contrast(colours[at] ?? [], colours[TEXTS.length + on] ?? []);
        assert.ok(ratio >= LEAST, `${colorScheme}: ${text} on ${ground} has ${ratio.toFixed(2)}`);
      }),
    );
  }
  await page.close();
});
