// A person approves unseen files only by saying so. The page shows the outcome of a push until the person
// closes it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { call, go, make, openAll, play, played, review } from './steps.js';

const chrome = await scene();

const write = (path: string, content = path): string => call('write_file', { path, content });
const stage = (message: string): string => call('git_stage', { files: ['.'], message });

test('files that were not opened are approved by those alone who say so', async () => {
  const page = await chrome.page();
  await make(page, 'unopened');
  const files = ['a.md', 'src/b.md', 'src/deep/c.md', 'src/deep/d.md'];
  await play(page, ...files.map((path) => write(path)), stage('Four'), 'hand_over {}');
  await review(page);
  await page.getByText('1 of 4 opened').waitFor();
  await page.getByRole('button', { name: 'Approve with 3 unopened' }).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve with 3 unopened files?' });
  await dialog.getByText('src/deep/d.md').waitFor();
  await look(page, 'unopened');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // It steps from one to the next.
  for (const left of ['2 of 4 opened', '3 of 4 opened', 'all opened']) {
    await page.keyboard.press('n');
    await page.getByText(left).waitFor();
  }
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await downloading;
  await page.close();
});

test('the next review waits until what became of the one before is closed, and begins unopened', async () => {
  const page = await chrome.page();
  await make(page, 'outcome');
  await play(
    page,
    write('a.md'),
    write('b.md'),
    stage('Two'),
    'hand_over {}',
    call('git_discard', { commitId: 'HEAD' }),
    write('b.md', 'another'),
    write('c.md'),
    stage('Two and another'),
    'hand_over {}',
  );
  await review(page);
  await openAll(page);
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('a');
  await downloading;
  await page.getByText('Bundle downloaded').waitFor();
  await page.getByRole('button', { name: 'Review the next' }).waitFor();
  // One more of the same key decides nothing.
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await look(page, 'outcome-next');
  await page.getByRole('button', { name: 'Review the next' }).click();
  // With the same bytes, a.md stays opened, and its first file is the visible one.
  await page.getByText('1 of 3 opened').waitFor();
  await page.locator('[data-file="0"] .seen-mark.opened').waitFor();
  assert.equal(await page.locator('.seen-mark.opened').count(), 1);
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await page.getByText('all opened').waitFor();
  const second = page.waitForEvent('download');
  await page.keyboard.press('a');
  await second;
  await page.getByText('Bundle downloaded').waitFor();
  await page.getByRole('button', { name: 'Back to the agent' }).click();
  await played(page);
  await go(page, 'Commits');
  await page.close();
});

test('of two questions that wait, one more key decides nothing, and later is for what is on the screen', async () => {
  const page = await chrome.page();
  await make(page, 'two');
  await play(page, write('a.md'), stage('One'), 'hand_over {}');
  await review(page);
  await page.keyboard.press('Shift+B');
  await page.locator('.waiting .count', { hasText: '2' }).waitFor();
  await openAll(page);
  await page.getByText('all opened').waitFor();
  const downloads: string[] = [];
  page.on('download', (download) => void downloads.push(download.suggestedFilename()));
  for (const key of ['a', 'a', 'a']) await page.keyboard.press(key);
  await page.getByText('Bundle downloaded').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('l');
  await page.locator('.waiting .count', { hasText: '1' }).waitFor();
  assert.deepEqual(downloads, ['two.bundle']);
  await page.getByText('Waiting for you').click();
  await page.getByText('all opened').waitFor();
  await page.keyboard.press('a');
  await page.getByText('Bundle downloaded').waitFor();
  await page.locator('.waiting').waitFor({ state: 'detached' });
  assert.equal(downloads.length, 2);
  await page.close();
});

test('the border between the panes is moved by keys and by pointer, and stays where it was put', async () => {
  const page = await chrome.page();
  await make(page, 'panes');
  await play(page, write('a.md'));
  await played(page);
  await go(page, 'Files');
  const border = page.getByRole('separator', { name: 'Width of the tree' });
  const width = (): Promise<number> => page.locator('.pane-side').evaluate((side) => Math.round(side.clientWidth));
  const before = await width();
  await border.press('ArrowRight');
  await border.press('ArrowRight');
  const wider = await width();
  assert.ok(wider > before, `${wider} is not more than ${before}`);
  const box = await border.boundingBox();
  if (!box) assert.fail('the border is not there');
  await page.mouse.move(box.x + 4, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 104, box.y + 100);
  await page.mouse.up();
  assert.ok((await width()) >= wider + 90);
  const moved = await width();
  await page.reload();
  await border.waitFor();
  assert.equal(await width(), moved);
  await border.dblclick();
  assert.equal(await width(), before);
  await page.close();
});

test('a narrow screen has its list first, and approves nothing from there unsaid', async () => {
  const page = await chrome.page();
  await page.setViewportSize({ width: 380, height: 800 });
  await make(page, 'narrow');
  await play(page, write('a.md'), stage('One'), 'hand_over {}');
  await review(page);
  await page.getByText('0 of 1 opened').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve with 1 unopened file?' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await page.getByText('all opened').waitFor();
  await page.close();
});
