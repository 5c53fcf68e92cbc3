// Connecting a real agent: the command accepts what the page offers to copy.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { GITGATE, Gitgate, skip } from '../../sdk/test/gitgate.js';
import { look } from './look.js';
import { scene } from './page.js';
import { go, kind, make } from './steps.js';

const served = GITGATE === undefined ? undefined : await Gitgate.start();
after(() => served?.close());
const chrome = await scene(...(served ? [served.origin] : []));

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

interface Config {
  [kind: string]: { gitgate: { command: string; args: string[]; url: string; headers: { [name: string]: string } } };
}

const choose = (page: Page, group: string, name: string): Promise<void> =>
  page.getByRole('group', { name: group }).getByRole('button', { name }).click();

/** Copies a block, and returns the clipboard's content. */
async function copied(page: Page, title: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const button = page.getByRole('button', { name: `Copy ${title}`, exact: true }).last();
  await button.click();
  await button.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('each way to connect an agent is shown, from the start page and by a key', async () => {
  const page = await chrome.page();
  await page.getByRole('button', { name: 'Connect your agent' }).click();
  await page.getByRole('heading', { name: 'Connect your agent' }).waitFor();
  for (const [way, sign] of [
    ['On this computer', 'gitgate setup claude-code'],
    ['On a server', 'gitgate serve'],
    ['In your web app', 'openSandbox'],
    ['In the browser', 'window.gitgate.connect'],
  ] as const) {
    await choose(page, 'Where the agent runs', way);
    await page.locator('pre', { hasText: sign }).first().waitFor();
    await look(page, `connect-${way.replaceAll(' ', '-')}`);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await make(page, 'mine');
  await go(page, 'Agent');
  await page.getByRole('button', { name: 'Connect your agent' }).click();
  await page.getByText('This sandbox lives in this browser').waitFor();
  await look(page, 'connect-in-sandbox');
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByText('No files yet').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('connect your');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connect your agent' }).waitFor();
  await page.close();
});

test('the configuration for a client is what it starts gitgate with', { skip }, async () => {
  const page = await chrome.page('#/connect');
  await choose(page, 'Where the agent runs', 'On this computer');
  for (const [client, file, key] of [
    ['Claude Code', '.mcp.json', 'mcpServers'],
    ['Cursor', '.cursor/mcp.json', 'mcpServers'],
    ['VS Code', '.vscode/mcp.json', 'servers'],
  ] as const) {
    await choose(page, 'Client', client);
    const { gitgate } = (JSON.parse(await copied(page, file)) as Config)[key] ?? assert.fail(key);
    assert.equal(gitgate.command, 'gitgate');
    const child = spawn(GITGATE ?? gitgate.command, gitgate.args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: served?.env,
    });
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    for await (const line of createInterface({ input: child.stdout })) {
      assert.match(line, /"serverInfo":\{"name":"gitgate"/);
      break;
    }
    child.kill();
  }
  await page.close();
});

test('an agent is connected to a sandbox on a server by its address and its own token', { skip }, async () => {
  const server = served ?? assert.fail('the test is left out');
  const page = await chrome.page();
  await kind(page, 'Server');
  await page.getByLabel('Address').fill(server.url());
  await page.getByLabel('Token').fill(await server.token('owner'));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  await go(page, 'Connect');
  await look(page, 'connect-server');
  assert.match(await copied(page, 'Terminal'), new RegExp(`^curl ${server.url()}/tokens `));
  const { gitgate } = (JSON.parse(await copied(page, '.mcp.json')) as Config)['mcpServers'] ?? assert.fail('a server');
  const ask = async (token: string): Promise<Response> =>
    fetch(gitgate.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: (gitgate.headers['Authorization'] ?? '').replace('AGENT-TOKEN', token),
      },
      body: JSON.stringify(HELLO),
    });
  assert.match(await (await ask(await server.token('agent'))).text(), /"serverInfo":\{"name":"gitgate"/);
  assert.equal((await ask('gitgate_none')).status, 401);
  await page.close();
});
