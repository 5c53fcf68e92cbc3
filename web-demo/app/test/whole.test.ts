// However little a tool returns at a time, the page shows everything: it asks for more, or says what is
// missing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { scene } from './page.js';
import { bundleOf, call, go, makeFromBundle, play, played, scratch } from './steps.js';

const chrome = await scene();

/** Makes each tool return little at a time, whatever the page asks for. */
function little(): void {
  const rooms: { [tool: string]: { [argument: string]: number } } = {
    list_files: { max_bytes: 2000 },
    git_status: { max_bytes: 2000 },
    git_log: { max_bytes: 2000 },
    git_show: { max_bytes: 16_000 },
    git_diff: { max_bytes: 5000 },
    git_blame: { max_bytes: 2000 },
    sandbox_history: { limit: 7 },
    read_file: { limit: 9 },
  };
  const seen = new Set<string>();
  Reflect.set(globalThis, 'asked', seen);
  Reflect.set(globalThis, 'rooms', rooms);
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (
    this: Worker,
    message: { method?: string; args?: { tool: string; arguments: string } },
  ) {
    const { args } = message;
    const room = message.method === 'call' && args ? rooms[args.tool] : undefined;
    if (args && room) {
      seen.add(args.tool);
      const text = JSON.stringify({ ...(JSON.parse(args.arguments) as object), ...room });
      message = { ...message, args: { ...args, arguments: text } };
    }
    post.call(this, message);
  };
}

const pad = (at: number): string => String(at).padStart(3, '0');
const files = Array.from({ length: 120 }, (_, at) => ({
  path: `src/${at % 6}/file-${pad(at)}.txt`,
  content: `${at}\n`,
}));
const LINES = 200;
const long = { path: 'a-long.txt', content: Array.from({ length: LINES }, (_, at) => `line ${at} of many\n`).join('') };

const last = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).first().waitFor();

test('a small budget of bytes leaves nothing out on any screen', async (t) => {
  const folder = await scratch(t);
  const bundle = await bundleOf(folder, [...files, long], { author: 'Ada', message: 'Begin\n' });
  const page = await chrome.page('', little);
  await makeFromBundle(page, bundle, 'whole');
  await page.getByText('121 files', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('file-119');
  await page.getByRole('option', { name: 'src/5/file-119.txt' }).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('treeitem', { name: 'a-long.txt' }).click();
  const code = page.locator('.cm-content').last();
  await code.getByText('line 0 of many').waitFor();
  await code.press('Control+End');
  await code.getByText(`line ${LINES - 1} of many`).waitFor();
  await page.getByRole('link', { name: 'Blame' }).click();
  await page.locator('.blame').waitFor();
  for (const status = page.getByText(/^Lines after/); (await status.count()) > 0;) {
    const now = await status.innerText();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.waitForFunction((now) => !document.body.innerText.includes(now), now);
  }
  await page.locator('.blame').evaluate((blame) => (blame.scrollTop = blame.scrollHeight));
  await page
    .locator('.blame')
    .getByText(`line ${LINES - 1} of many`)
    .waitFor();

  await go(page, 'Commits');
  await page.locator('.patches-files .file-row').nth(120).waitFor();
  assert.equal(await page.locator('.patches-files .file-row').count(), 121);
  await page.locator('.patches-files .file-row', { hasText: 'a-long.txt' }).click();
  await page.locator('.patches-diff').getByText('line 0 of many').waitFor();
  await page.locator('.patches-files .file-row', { hasText: 'file-119.txt' }).click();
  await last(page, '119');

  const changed = Array.from({ length: 60 }, (_, at) =>
    call('write_file', { path: `new/${pad(at)}.txt`, content: `new ${at}\n` }),
  );
  const rewritten = call('write_file', {
    path: 'a-long.txt',
    content: long.content.replaceAll(/(line \d*0) of many/g, '$1 of few'),
  });
  await play(page, ...changed, rewritten);
  await played(page);
  await go(page, 'Changes');
  await page.getByText('61 files differ from the last commit').waitFor();
  await page.locator('.patches-files .file-row').nth(60).waitFor();
  await page.locator('.patches-files .file-row', { hasText: '059.txt' }).click();
  await last(page, 'new 59');
  await page.locator('.patches-files .file-row', { hasText: 'a-long.txt' }).click();
  for (let hunk = 0; hunk < LINES / 10; hunk += 1) await page.keyboard.press(']');
  await page.locator('.patches-diff').getByText('line 190 of few').first().waitFor();

  const stages = changed.map((_, at) => call('git_stage', { files: [`new/${pad(at)}.txt`], message: `Stage ${at}` }));
  await play(page, ...stages);
  await played(page);
  await go(page, 'Commits');
  await page.getByText('60 staged', { exact: true }).waitFor();
  await page.locator('.commit-row').nth(60).waitFor();
  assert.equal(await page.locator('.commit-row').count(), 61);
  await go(page, 'History');
  await page.locator('.call-row').nth(120).waitFor();
  // If not even the names fit, it says how many are missing.
  await page.evaluate(() => {
    const rooms = Reflect.get(globalThis, 'rooms') as { [tool: string]: { [argument: string]: number } };
    rooms.git_show = { max_bytes: 2000 };
  });
  await go(page, 'Commits');
  await page.locator('.commit-row').last().click();
  await page.getByText(/^\d+ more files are not listed/).waitFor();
  const asked = await page.evaluate(() => [...(Reflect.get(globalThis, 'asked') as Set<string>)].sort());
  assert.deepEqual(asked, [
    'git_blame',
    'git_diff',
    'git_log',
    'git_show',
    'git_status',
    'list_files',
    'read_file',
    'sandbox_history',
  ]);
  await page.close();
});
