// The origins of sandboxes, and browsers without storage for them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { bundleOf, call, git, go, kind, make, play, played, review, said, scratch } from './steps.js';

const chrome = await scene();

test('a folder that is dropped on the page becomes files and a staged commit, without its .git', async (t) => {
  const folder = join(await scratch(t), 'dropped');
  await mkdir(join(folder, 'src'), { recursive: true });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git/config'), '[core]\n');
  await writeFile(join(folder, 'README.md'), '# Dropped\n');
  await writeFile(join(folder, 'src/a.bin'), Buffer.from([0, 255, 254, 1]));
  for (let at = 0; at < 120; at += 1) await writeFile(join(folder, `src/${at}.txt`), `${at}\n`);
  const page = await chrome.page();
  await page.getByText('Nothing leaves until you approve').waitFor();
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  }
  await page.getByText('122 files').waitFor();
  await look(page, 'start-folder');
  await make(page);
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  assert.equal(await page.locator('.top .name').innerText(), 'dropped');
  await go(page, 'Commits');
  await page.locator('.commit-row', { hasText: 'Import a folder' }).waitFor();
  await play(page, call('list_files', { path: '.git' }), call('read_file', { path: 'src/a.bin' }));
  await played(page);
  await page.close();
});

test('a bundle without HEAD opens on the branch that is named, and nothing of it is staged', async (t) => {
  const folder = await scratch(t);
  await bundleOf(folder, [{ path: 'a.md', content: 'a\n' }], { author: 'Ada', message: 'Write a' });
  const source = join(folder, 'source');
  for (const branch of ['one', 'topic/two']) git(source, 'branch', branch, 'main');
  const file = join(folder, 'branches.bundle');
  git(source, 'bundle', 'create', '--quiet', file, 'one', 'topic/two');
  const page = await chrome.page();
  await kind(page, 'Bundle');
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(file);
  await page.getByLabel('Branch').fill('topic/two');
  await look(page, 'start-bundle');
  await make(page, 'branches');
  await page.locator('.branch', { hasText: 'topic/two' }).waitFor();
  await go(page, 'Commits');
  await page.locator('.commit-row', { hasText: 'Write a' }).waitFor();
  await page.getByText('Nothing is staged').waitFor();
  await play(
    page,
    call('write_file', { path: 'b.md', content: 'b\n' }),
    call('git_stage', { files: ['b.md'], message: 'Write b' }),
  );
  await played(page);
  await go(page, 'Commits');
  await page.getByText('1 staged').waitFor();
  await page.close();
});

test('what is no bundle, and a server that is not there, are told with what to do', async (t) => {
  const file = join(await scratch(t), 'wrong.bundle');
  await writeFile(file, 'this is no bundle');
  const page = await chrome.page();
  await kind(page, 'Bundle');
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(file);
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'start-error');
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill('http://127.0.0.1:9');
  await look(page, 'start-github');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('alert').getByText('127.0.0.1:9 does not answer').waitFor();
  await page.getByLabel('API address').fill('http://example.org');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('alert').getByText('The API address is not https').waitFor();
  await look(page, 'start-github-error');
  assert.equal(await page.getByRole('link', { name: /wrong|project/ }).count(), 0, 'nothing is left of them');
  await page.close();
});

test('an import that does not come to its end is called off, and nothing is left of it', async (t) => {
  // It accepts requests and answers none.
  const mute = createServer(() => undefined);
  mute.listen(0, '127.0.0.1');
  t.after(() => (mute.closeAllConnections(), mute.close()));
  await once(mute, 'listening');
  const page = await chrome.page();
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill(`http://127.0.0.1:${(mute.address() as AddressInfo).port}`);
  const asked = once(mute, 'request');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await asked;
  await look(page, 'start-busy');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing was created').waitFor();
  assert.equal(await page.getByRole('link', { name: 'project' }).count(), 0);
  await kind(page, 'Empty');
  await make(page, 'project');
  await page.getByText('No files yet').waitFor();
  await page.close();
});

test('a folder whose import is called off or left, at whatever step, is nowhere', async (t) => {
  const folder = join(await scratch(t), 'project');
  await mkdir(folder);
  for (const name of ['a.md', 'b.md']) await writeFile(join(folder, name), `${name}\n`);
  const page = await chrome.page();
  await make(page, 'elsewhere');
  for (const [tool, leave] of [
    ['write_file', 'Cancel'],
    ['git_stage', 'Cancel'],
    ['write_file', '#/s/elsewhere/files'],
  ] as const) {
    await page.getByRole('button', { name: 'All sandboxes' }).click();
    await kind(page, 'Folder');
    await page.getByLabel('Folder', { exact: true }).setInputFiles(folder);
    await page.evaluate(
      ({ tool, leave }) => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message: { args?: { tool?: string } }) {
          if (message.args?.tool === tool) {
            Worker.prototype.postMessage = postMessage;
            if (leave.startsWith('#')) location.hash = leave;
            else document.querySelector<HTMLElement>('form .busy button')?.click();
          }
          postMessage.call(this, message);
        };
      },
      { tool, leave },
    );
    await page.getByLabel('Name', { exact: true }).fill('off');
    await page.getByRole('button', { name: 'Create sandbox' }).click();
    await page.getByText('Nothing was created').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    if (leave === 'Cancel') {
      await page.goto(`${chrome.address}#/s/off/files`);
      await page.getByText("there is no sandbox 'off' here").waitFor();
    } else await page.getByText('No files yet').waitFor();
  }
  await page.close();
});

test('a private window without OPFS keeps sandboxes in memory, and says so', async () => {
  const page = await chrome.page('', () => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('not allowed', 'SecurityError');
        },
      });
    }
    navigator.storage.getDirectory = () => Promise.reject(new DOMException('not allowed', 'SecurityError'));
  });
  await page.getByText('This browser gives the page no storage').waitFor();
  await look(page, 'start-private');
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await page.getByText('Next: line 2').waitFor();
  await page.getByText('in memory only').waitFor();
  await play(page, call('write_file', { path: 'a.md', content: 'kept\n' }), call('read_file', { path: 'a.md' }));
  await played(page);
  assert.match(await said(page), /kept/);
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('link', { name: 'sample' }).click();
  await page.getByRole('treeitem', { name: 'a.md' }).waitFor();
  await page.close();
});

test('an agent that plays stops when its sandbox is left, and makes no call in another one', async () => {
  const page = await chrome.page();
  await make(page, 'left');
  const write = call('write_file', { path: 'a.md', content: 'a' });
  await play(page, write, call('git_stage', { files: ['a.md'], message: 'Write a' }), 'hand_over {}', write);
  await page.getByText('It waits for your answer').waitFor();
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await page.getByRole('link', { name: 'left' }).click();
  await go(page, 'Agent');
  // It asks again, and continues after the answer.
  await page.locator('.step.running', { hasText: 'hand_over' }).waitFor();
  assert.equal(await page.locator('.step').count(), 3, 'the last call is not made');
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await make(page, 'other');
  await page.getByText('No files yet').waitFor();
  await go(page, 'Agent');
  await page.getByText('What the agent reads').waitFor();
  await go(page, 'History');
  await page.locator('.call-row').first().waitFor();
  assert.equal(await page.locator('.call-row', { hasText: 'write_file' }).count(), 0);
  await page.close();
});

test('a question that comes while another one is open waits until that is answered', async () => {
  const page = await chrome.page();
  await make(page, 'two');
  const write = call('write_file', { path: 'a.md', content: 'a' });
  await play(page, write, call('git_stage', { files: ['a.md'], message: 'Write a' }), 'hand_over {}');
  await review(page);
  await page.keyboard.press('Shift+B');
  await page.locator('.waiting .count', { hasText: '2' }).waitFor();
  await page.keyboard.press('l');
  await go(page, 'Agent');
  await played(page);
  await page.locator('.step.pending', { hasText: 'hand_over' }).waitFor();
  // The question is now about the person's own bundle.
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.locator('.verdict').waitFor();
  await page.close();
});

test('a log that cannot be read is a trouble, and is read at the next try', async () => {
  const page = await chrome.page();
  await make(page, 'unread');
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message: { method?: string; args?: { tool?: string } }) {
      if (message.method === 'decisions' || /log|history/.test(message.args?.tool ?? '')) {
        throw new Error('not today');
      }
      postMessage.call(this, message);
    };
    Reflect.set(window, 'mend', () => (Worker.prototype.postMessage = postMessage));
  });
  for (const tab of ['Commits', 'History', 'Audit']) {
    await go(page, tab);
    await page.locator('[aria-current=page]', { hasText: tab }).waitFor();
    await page.getByRole('alert').getByText('not today').waitFor();
  }
  await page.evaluate(() => void Reflect.get(window, 'mend')());
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No decisions yet').waitFor();
  await go(page, 'Commits');
  await page.getByText('No commits yet').waitFor();
  await page.close();
});

test('a second tab reaches the sandbox of the first, and takes it over when that is closed', async () => {
  const first = await chrome.page();
  await make(first, 'shared');
  const second = await chrome.page('#/s/shared/agent');
  await second.getByRole('textbox', { name: "The agent's calls" }).waitFor();
  await second.getByText('runs in another tab').waitFor();
  assert.equal(await first.getByText('runs in another tab').count(), 0);
  await play(second, call('write_file', { path: 'b.md', content: 'from the second\n' }));
  await played(second);
  await first.close();
  await play(second, call('read_file', { path: 'b.md' }));
  await played(second);
  assert.match(await said(second), /from the second/);
  assert.equal(await second.getByText('runs in another tab').count(), 0);
  await second.close();
});

test('a name that is taken, and a sandbox that is deleted, leave no token to another sandbox', async () => {
  const page = await chrome.page();
  await make(page, 'taken');
  await page.evaluate(() => sessionStorage.setItem('gitgate.token:taken', 'of the first'));
  const kept = () => page.evaluate(() => sessionStorage.getItem('gitgate.token:taken'));
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByLabel('Token', { exact: false }).first().fill('of the second');
  await page.getByLabel('Keep the token').check();
  await page.getByLabel('Name', { exact: true }).fill('taken');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByText("there is a sandbox 'taken' already").waitFor();
  assert.equal(await kept(), 'of the first');
  await page.getByRole('button', { name: 'Delete taken' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'taken' }).waitFor({ state: 'detached' });
  assert.equal(await kept(), null);
  await page.close();
});
