// The start page: input in its field, drops, and error messages.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { Hub } from '../../sdk/test/hub.js';
import { look } from './look.js';
import { scene } from './page.js';
import { bundleOf, go, kind, make, scratch } from './steps.js';

const chrome = await scene();
const hub = await Hub.start();
after(() => hub.close());

const ADDRESS = 'GitHub repository or gitgate server';
const field = (page: Page) => page.getByLabel(ADDRESS);
const create = (page: Page): Promise<void> => page.getByRole('button', { name: 'Create sandbox' }).click();

test('one field takes a repository with its branch, and asks for what a repository may need', async () => {
  const page = await chrome.page();
  await page.getByText('Nothing leaves until you approve').waitFor();
  await look(page, 'start-first');
  await field(page).fill('https://github.com/ada/project/tree/topic/one');
  await page.getByText('Repository on github.com').waitFor();
  assert.equal(await page.getByLabel('Branch').inputValue(), 'topic/one');
  assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('placeholder'), 'project');
  await look(page, 'start-repository');
  await field(page).fill('git@git.example.org:ada/project.git');
  await page.getByText('GitHub Enterprise)').waitFor();
  assert.equal(await page.getByLabel('Branch').inputValue(), '', 'the branch went with the address that named it');
  assert.equal(await page.getByLabel('API address').inputValue(), 'https://git.example.org/api/v3');
  await field(page).fill('https://github.com/ada/project/tree/main');
  await page.getByText('Repository on github.com').waitFor();
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill(hub.base);
  await create(page);
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  await page.locator('.branch', { hasText: 'main' }).waitFor();
  await page.close();
});

test('the same field takes a server, and asks for its token', async () => {
  const page = await chrome.page();
  await field(page).fill('http://127.0.0.1:8420/sandboxes/fix/mcp');
  await page.getByText('Sandbox on 127.0.0.1:8420').waitFor();
  await page.getByLabel('Token').fill('secret');
  await look(page, 'start-server-address');
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  await page.close();
});

test('what names nothing is told with what to write, before anything is made', async () => {
  const page = await chrome.page();
  for (const [text, said, hint] of [
    ['', 'Enter a repository', 'owner/repo'],
    ['ada', "'ada' is not a repository", 'owner/repo'],
    ['/home/ada/project', 'a folder on your computer', 'Drop the folder'],
    ['https://gitlab.com/ada/project', 'GitLab lets no page in', 'git bundle create'],
  ] as const) {
    await field(page).fill(text);
    await create(page);
    await page.getByRole('alert').getByText(said).waitFor();
    await page.getByRole('alert').getByText(hint).waitFor();
  }
  await look(page, 'start-wrong-address');
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('http://127.0.0.1:8420/sandboxes/fix');
  await create(page);
  await page.getByRole('alert').getByText('This is the address of a sandbox on a server').waitFor();
  assert.equal(
    await page
      .locator('.sandbox-row')
      .filter({ hasNotText: /^project/ })
      .count(),
    0,
  );
  await page.close();
});

test('a bundle is dropped anywhere on the page, and opened', async (t) => {
  const file = await bundleOf(await scratch(t), [{ path: 'a.md', content: 'a\n' }], {
    author: 'Ada',
    message: 'Write a',
  });
  const page = await chrome.page();
  await field(page).waitFor();
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 200, y: 20, data });
  }
  await page.getByText('Drop a folder or a .bundle file', { exact: true }).waitFor();
  await look(page, 'start-drop');
  await client.send('Input.dispatchDragEvent', { type: 'dragOver', x: 200, y: 20, data });
  await client.send('Input.dispatchDragEvent', { type: 'drop', x: 200, y: 20, data });
  await page.getByText('project.bundle').waitFor();
  await make(page, 'dropped');
  await page.getByRole('treeitem', { name: 'a.md' }).waitFor();
  await go(page, 'Commits');
  await page.locator('.commit-row', { hasText: 'Write a' }).waitFor();
  await page.close();
});

test('sandboxes come first where there are some, and the sample is still there', async () => {
  const page = await chrome.page();
  await page.getByRole('heading', { name: 'Sandboxes', exact: true }).waitFor();
  await look(page, 'start-again');
  const tops = await page.evaluate(() =>
    ['.sandboxes', '.new', '.loop'].map((part) => document.querySelector(part)?.getBoundingClientRect().top ?? -1),
  );
  assert.ok(
    tops.every((top, at) => top >= 0 && (at === 0 || top >= (tops[0] ?? 0) - 60)),
    tops.join(' '),
  );
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await page.getByText('Next: line 2').waitFor();
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await page.getByText('Next: line 2').waitFor();
  assert.equal(await page.locator('.top .name').innerText(), 'sample-2');
  await page.close();
});
