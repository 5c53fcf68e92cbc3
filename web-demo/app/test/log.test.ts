// The log: the names, parents and changes of its commits.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';

import type { Locator, Page } from 'playwright-core';

import { look } from './look.js';
import { scene } from './page.js';
import { call, git, go, make, makeFromBundle, play, played, scratch } from './steps.js';

const chrome = await scene();
await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write']);

const ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
const commit = (folder: string, message: string, ...more: string[]): string => {
  git(folder, 'add', '--all');
  git(folder, ...ADA, 'commit', '--quiet', '--message', message, ...more);
  return git(folder, 'rev-parse', 'HEAD');
};

/** A repository with one commit, for further work. The page shows the log of its bundle. */
async function logOf(t: TestContext, name: string, work: (folder: string) => Promise<void>): Promise<Page> {
  const folder = await scratch(t);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  await work(folder);
  git(folder, 'bundle', 'create', '--quiet', 'project.bundle', '--all');
  const page = await chrome.page();
  await makeFromBundle(page, join(folder, 'project.bundle'), name);
  await go(page, 'Commits');
  await page.locator('.commit-row').first().waitFor();
  return page;
}

const row = (page: Page, subject: string): Locator => page.locator('.commit-row', { hasText: subject });
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test('a log names the branches and the tags of its commits, and marks the branch of HEAD', async (t) => {
  const page = await logOf(t, 'refs', async (folder) => {
    await writeFile(join(folder, 'a.txt'), 'a\n');
    commit(folder, 'First');
    git(folder, 'tag', 'v1.0');
    git(folder, ...ADA, 'tag', '--annotate', 'v1.0-final', '--message', 'Final');
    git(folder, 'branch', 'older');
    await writeFile(join(folder, 'a.txt'), 'b\n');
    commit(folder, 'Second');
  });
  await row(page, 'Second').locator('.ref.head', { hasText: 'main' }).waitFor();
  await row(page, 'First').getByText('+2').waitFor();
  await row(page, 'First').click();
  const first = page.locator('.commit-refs .ref');
  await first.filter({ hasText: /v1\.0$/ }).waitFor();
  await first.filter({ hasText: /v1\.0-final$/ }).waitFor();
  await first.filter({ hasText: /Branch older$/ }).waitFor();
  assert.equal(await page.locator('.commit-row .ref.head').count(), 1);
  await look(page, 'log-refs');
  await page.close();
});

test('a sandbox without a commit has an empty log', async () => {
  const page = await chrome.page();
  await make(page, 'empty');
  await go(page, 'Commits');
  await page.getByText('No commits yet').waitFor();
  await page.close();
});

test('a commit gives its id and its address at a click, and says who wrote and who committed it', async (t) => {
  let id = '';
  const page = await logOf(t, 'copies', async (folder) => {
    await writeFile(join(folder, 'a.txt'), 'a\n');
    commit(folder, 'First');
    await writeFile(join(folder, 'a.txt'), 'b\n');
    id = commit(
      folder,
      'Second\n\nWith a reason.',
      '--author',
      'Bob <bob@example.org>',
      '--date',
      '2026-01-02T03:04:05Z',
    );
  });
  await row(page, 'Second').click();
  const shown = page.getByRole('region', { name: 'Commit' });
  await shown.getByText('With a reason.').waitFor();
  await shown.getByText('Bob').first().waitFor();
  await shown.getByText(/Committed by.*Ada/).waitFor();
  await shown.getByRole('button', { name: `Copy ${id.slice(0, 8)}` }).click();
  await shown.getByText('Copied').waitFor();
  assert.equal(await copied(page), id);
  await shown.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForFunction(async (end) => (await navigator.clipboard.readText()).endsWith(end), `/commits/${id}`);
  await shown.getByRole('link', { name: /Parent/ }).click();
  await shown.getByText('First').first().waitFor();
  await page.close();
});

test('a merge leads to its parents, and shows the commits and the changes that came with it', async (t) => {
  const page = await logOf(t, 'merge', async (folder) => {
    await writeFile(join(folder, 'a.txt'), 'a\n');
    commit(folder, 'First');
    git(folder, 'checkout', '--quiet', '-b', 'side');
    await writeFile(join(folder, 'side.txt'), 'one\n');
    commit(folder, 'Begin the side');
    await writeFile(join(folder, 'side.txt'), 'one\ntwo\n');
    commit(folder, 'End the side');
    git(folder, 'checkout', '--quiet', 'main');
    await writeFile(join(folder, 'a.txt'), 'b\n');
    commit(folder, 'Go on');
    git(folder, ...ADA, 'merge', '--quiet', '--no-ff', '--message', 'Merge the side', 'side');
  });
  await row(page, 'Merge the side').click();
  const shown = page.getByRole('region', { name: 'Commit' });
  assert.equal(await shown.getByRole('link', { name: /Parent/ }).count(), 2);
  await shown.getByRole('button', { name: /side\.txt/ }).waitFor();
  assert.equal(await shown.getByRole('button', { name: /a\.txt/ }).count(), 0);
  await shown.getByText('2 commits merged').click();
  const brought = shown.getByRole('list', { name: 'Commits merged' });
  assert.equal(await brought.getByRole('link').count(), 2);
  await look(page, 'log-merge');
  await brought.getByRole('link', { name: /Begin the side/ }).click();
  await shown.getByText('Begin the side').first().waitFor();
  await page.close();
});

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

test('a renamed file is shown as such, in a commit and in the changes, with what differs', async (t) => {
  const page = await logOf(t, 'renames', async (folder) => {
    await writeFile(join(folder, 'old.txt'), lines(40));
    await writeFile(join(folder, 'here.txt'), lines(30));
    commit(folder, 'First');
    git(folder, 'mv', 'old.txt', 'new.txt');
    await writeFile(join(folder, 'new.txt'), `${lines(40)}line 41\n`);
    commit(folder, 'Rename');
  });
  await row(page, 'Rename').click();
  const files = page.getByRole('group', { name: 'Changed files' });
  const renamed = files.getByRole('button', { name: /old\.txt.*renamed to.*new\.txt.*\+1/ });
  await renamed.getByTitle('renamed', { exact: true }).waitFor();
  await page.getByText(/^9\d% similar$/).waitFor();
  await play(
    page,
    call('move_file', { from: 'here.txt', to: 'there.txt' }),
    call('edit_file', { path: 'there.txt', old: 'line 30\n', new: 'line thirty\n' }),
  );
  await played(page);
  await go(page, 'Changes');
  await files.getByRole('button', { name: /here\.txt.*renamed to.*there\.txt.*\+1 −1/ }).waitFor();
  assert.equal(await files.getByRole('button').count(), 1);
  await page.getByText('line thirty').first().waitFor();
  await look(page, 'changes-renamed');
  await page.close();
});

test('a long list of changed files is filtered, counted, and walked through by keys', async (t) => {
  const page = await logOf(t, 'many', async (folder) => {
    for (let at = 0; at < 300; at += 1) await writeFile(join(folder, `file-${at}.txt`), `${at}\n`);
    commit(folder, 'Many');
  });
  await page.getByText('300 files changed').waitFor();
  await page.locator('.patches-head .counts', { hasText: '+300' }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter changed files' }).fill('file-29');
  await page.getByText('11 of 300 files changed').waitFor();
  const files = page.getByRole('group', { name: 'Changed files' });
  assert.equal(await files.getByRole('button').count(), 11);
  await files.getByRole('button').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await files.locator('[aria-current=true]', { hasText: 'file-298' }).waitFor();
  await look(page, 'log-many');
  await page.close();
});

/** A grey image. */
function png(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 128).map((byte, at) => (at % (width + 1) ? byte : 0)));
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
const svg = (width: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="9"><script>document.title = 'run'</script></svg>\n`;

test('an image is shown before and after, with its size', async (t) => {
  const [small, large] = [png(3, 2), png(40, 30)];
  const page = await logOf(t, 'images', async (folder) => {
    await writeFile(join(folder, 'a.png'), small);
    await writeFile(join(folder, 'b.svg'), svg(7));
    commit(folder, 'First');
    await writeFile(join(folder, 'a.png'), large);
    await writeFile(join(folder, 'b.svg'), svg(8));
    commit(folder, 'Second');
  });
  await row(page, 'Second').click();
  const shown = page.getByRole('group', { name: 'Image' });
  const files = page.getByRole('group', { name: 'Changed files' });
  await shown.getByText(`After: 40 × 30 px, ${large.length} B`).waitFor();
  await shown.getByText(`Before: 3 × 2 px, ${small.length} B`).waitFor();
  await look(page, 'log-image');
  await files.getByRole('button', { name: /b\.svg/ }).click();
  await shown.getByText(`Before: 7 × 9 px, ${svg(7).length} B`).waitFor();
  await shown.getByText(`After: 8 × 9 px, ${svg(8).length} B`).waitFor();
  assert.notEqual(await page.title(), 'run');
  assert.equal(await page.locator('.pictures svg').count(), 0);
  const content = png(5, 6).toString('base64');
  await play(page, call('write_file', { path: 'new.png', content, encoding: 'base64' }));
  await played(page);
  await go(page, 'Changes');
  await shown.getByText('After: 5 × 6 px').waitFor();
  await page.close();
});
