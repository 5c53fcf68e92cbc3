// A review shows the differences of a renamed file, and images as images.

import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { bundleOf, call, makeFromBundle, play, review, scratch } from './steps.js';

const chrome = await scene();

const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of a text\n`);
const svg = (width: number): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"></svg>\n`;

test('a renamed file is shown with what differs, and whole for who asks; an image before and after', async (t) => {
  const folder = await scratch(t);
  const files = [
    { path: 'old/name.txt', content: lines.join('') },
    { path: 'same.txt', content: 'the same\n' },
    { path: 'image.svg', content: svg(7) },
  ];
  const bundle = await bundleOf(folder, files, { author: 'Ada', message: 'Begin\n' });
  const page = await chrome.page();
  await makeFromBundle(page, bundle, 'renamed');
  await play(
    page,
    call('move_file', { from: 'old/name.txt', to: 'new/name.txt' }),
    call('edit_file', { path: 'new/name.txt', old: 'line 20 of', new: 'line twenty of' }),
    call('move_file', { from: 'same.txt', to: 'moved.txt' }),
    call('write_file', { path: 'image.svg', content: svg(8) }),
    call('git_stage', { files: ['.'], message: 'Move' }),
    'hand_over {}',
  );
  await review(page);
  const content = page.locator('.review-content');
  const open = (at: number) => page.locator(`[data-file="${at}"]`).click();
  // image.svg, moved.txt, new/name.txt, old/name.txt, same.txt
  await content.getByText('Before: 7 × 9 px').waitFor();
  await content.getByText('After: 8 × 9 px').waitFor();
  await look(page, 'review-image');
  await open(1);
  await content.getByText('Renamed without changes.').waitFor();
  await content.getByText('100% similar').waitFor();
  await open(2);
  await content.getByText('Renamed from').waitFor();
  await content.getByText('line twenty of a text').first().waitFor();
  await content.getByText('line 20 of a text').first().waitFor();
  await look(page, 'review-renamed');
  await content.getByRole('button', { name: 'Whole file' }).click();
  await content.getByText('line 0 of a text').first().waitFor();
  await content.getByText('line 20 of a text').waitFor({ state: 'detached' });
  await open(3);
  await content.getByText('renamed to').waitFor();
  await page.close();
});
