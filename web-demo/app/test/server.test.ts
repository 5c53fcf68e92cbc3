// A sandbox on a server, used beside the page.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';

import type { Page } from 'playwright-core';

import { connectSandbox } from '../../sdk/src/client/connect.js';
import { GITGATE, Gitgate, skip } from '../../sdk/test/gitgate.js';
import type { Role } from '../../sdk/test/gitgate.js';
import { look } from './look.js';
import { scene } from './page.js';
import { approve, go, kind, openAll } from './steps.js';

const served = GITGATE === undefined ? undefined : await Gitgate.start();
after(() => served?.close());
const chrome = await scene(...(served ? [served.origin] : []));

function server(): Gitgate {
  return served ?? assert.fail('the test is left out');
}

const agentOf = async () => connectSandbox(server().url(), await server().token('agent'));

/** An agent that works elsewhere. */
async function propose(path: string): Promise<void> {
  const agent = await agentOf();
  await agent.call('write_file', { path, content: 'one\n' });
  await agent.call('write_file', { path: 'README.md', content: `# Project\n\nSee ${path}.\n` });
  await agent.call('git_stage', { files: [path, 'README.md'], message: `Write ${path}` });
  const reply = await agent.call('git_push', { commitId: 'HEAD' });
  assert.equal(reply.outcome, 'pending', JSON.stringify(reply));
  await agent.close();
}

async function fill(page: Page, address: string, token: string): Promise<void> {
  await kind(page, 'Server');
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Token').fill(token);
}

const press = (page: Page): Promise<void> => page.getByRole('button', { name: 'Connect', exact: true }).click();

async function connect(role: Role): Promise<Page> {
  const page = await chrome.page();
  await fill(page, `${chrome.address}sandboxes/default`, await server().token(role));
  await press(page);
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
  return page;
}

test(
  'a person reviews on a server what an agent has proposed there, and what they approve lands',
  { skip },
  async () => {
    await propose('a.md');
    const page = await chrome.page();
    await kind(page, 'Server');
    assert.equal(await page.getByLabel('Address').inputValue(), `${chrome.address}sandboxes/`);
    await look(page, 'start-server');
    const token = await server().token('reviewer');
    await fill(page, `${chrome.address}sandboxes/default`, token);
    await press(page);
    await page.getByRole('treeitem', { name: 'a.md' }).waitFor();
    await page.getByText('Waiting for you').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Agent' }).count(), 0, 'its agents are elsewhere');
    await look(page, 'server-files');
    await go(page, 'Commits');
    await page.locator('.commit-row', { hasText: 'Write a.md' }).waitFor();
    await go(page, 'Changes');
    await page.getByText('Nothing to stage').or(page.locator('.empty')).first().waitFor();
    await go(page, 'History');
    await page.getByText('git_stage').first().waitFor();
    await page.getByText('Waiting for you').click();
    await page.locator('.verdict').waitFor();
    await look(page, 'server-review');
    await approve(page);
    await page.getByRole('heading', { name: 'Pushed' }).waitFor();
    assert.equal(server().git('log', '-1', '--format=%s'), 'Write a.md');
    await page.getByText('Waiting for you').waitFor({ state: 'detached' });
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    );
    assert.ok(!stored.includes(token) && !stored.includes('sandboxes/default'), stored);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('link', { name: 'default' }).waitFor();
    await look(page, 'start-connected');
    await page.getByRole('button', { name: 'Disconnect default' }).click();
    await page.getByText('Nothing leaves until you approve').waitFor();
    await page.close();
  },
);

test('a person rejects on a server, edits and pushes, and sees the whole of what leaves', { skip }, async () => {
  const page = await connect('owner');
  await propose('b.md');
  await page.reload();
  await page.getByText("there is no sandbox 'default' here").waitFor();
  await page.goto(chrome.address);
  await fill(page, `${chrome.address}sandboxes/default`, await server().token('owner'));
  await press(page);
  await page.getByText('Waiting for you').click();
  await page.locator('.verdict').waitFor();
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('textbox').fill('say why');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Rejected').first().waitFor();
  const told = await (await agentOf()).call('git_push', { commitId: 'HEAD' });
  assert.ok(told.outcome === 'failed' && told.reason === 'say why', JSON.stringify(told));
  await go(page, 'Commits');
  await page.getByRole('button', { name: 'Review and push' }).click();
  await page.locator('.verdict').waitFor();
  await openAll(page);
  await page.getByRole('treeitem', { name: 'README.md' }).click();
  await page.getByText('See b.md.').first().waitFor();
  await look(page, 'server-push');
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('textbox').fill('Write b, and why');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('e');
  await page.getByText('Write b, and why').waitFor();
  await approve(page);
  await page.getByRole('heading', { name: 'Pushed' }).waitFor();
  assert.equal(server().git('log', '-1', '--format=%s'), 'Write b, and why');
  await page.close();
});

test('a wrong token, one of an agent, and a server elsewhere are told with what to do', { skip }, async () => {
  const page = await chrome.page();
  const said = async (page: Page, address: string, token: string, what: string | RegExp): Promise<void> => {
    await fill(page, address, token);
    await press(page);
    await page.getByRole('alert').filter({ hasText: what }).waitFor();
  };
  const here = `${chrome.address}sandboxes/default`;
  const owner = await server().token('owner');
  await said(page, here, 'gitgate_none', /token/);
  await said(page, here, await server().token('agent'), "this is an agent's token");
  await said(page, 'http://example.org/sandboxes/default', owner, 'is not https');
  await look(page, 'start-server-error');
  await page.close();
  // A page whose errors the test expects.
  const other = await chrome.context.newPage();
  await other.goto(chrome.address);
  // A server that rejects pages of other origins.
  const closed = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await said(other, `http://127.0.0.1:${port}/sandboxes/default`, owner, 'does not answer this page');
  closed.closeAllConnections();
  closed.close();
  await said(other, 'http://127.0.0.2:9/sandboxes/default', owner, 'this page may not ask 127.0.0.2:9');
  await look(other, 'start-server-policy');
  await other.close();
});

test('a server of another origin opens as well', { skip }, async () => {
  const page = await chrome.page();
  await fill(page, server().url(), await server().token('owner'));
  await press(page);
  await page.getByRole('treeitem', { name: 'README.md' }).or(page.getByText('README.md')).first().waitFor();
  await page.close();
});

test('what waits on a server is told while the page is open, and its log is shown', { skip }, async () => {
  const token = await server().token('reviewer');
  const headers = { authorization: `Bearer ${token}` };
  // The page gets events from streams that end and start again, whatever the server itself supports.
  await chrome.context.route('**/sandboxes/default/events', async (route) => {
    const waiting = await (await fetch(`${server().url()}/waiting`, { headers })).text();
    await route.fulfill({ contentType: 'text/event-stream', body: `event: waiting\ndata: ${waiting}\n\n` });
  });
  const rejected = { by: 'Ada', how: 'command' };
  const place = { target: 'github:ada/project', reference: 'refs/heads/main', old: null, new: '1'.repeat(40) };
  const rejection = { rejected, reason: 'say why', digest: 'd', at: 1_795_600_000, ...place };
  await chrome.context.route('**/sandboxes/default/decisions', (route) =>
    route.fulfill({ contentType: 'application/json', body: JSON.stringify({ decisions: [{ rejection }] }) }),
  );
  const page = await connect('reviewer');
  await propose('c.md');
  await page.getByText('Waiting for you').waitFor();
  await page.getByRole('treeitem', { name: 'c.md' }).waitFor();
  await go(page, 'Audit');
  await page.getByText('Ada rejected a push to ada/project, main, on the command line').waitFor();
  await look(page, 'server-audit');
  await page.close();
  await chrome.context.unrouteAll();
});

test('what is typed in a file on a server is not given up without a question', { skip }, async () => {
  const page = await connect('owner');
  await page.getByRole('treeitem', { name: 'README.md' }).click();
  await page.getByRole('textbox', { name: 'README.md' }).click();
  await page.keyboard.type('typed ');
  await page.getByText('unsaved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'All sandboxes' }).click();
  const disconnect = page.getByRole('button', { name: 'Disconnect default' });
  const dialog = page.getByRole('dialog', { name: 'Disconnect from the sandbox?' });
  await disconnect.click();
  await dialog.getByText('README.md').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await disconnect.click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await disconnect.waitFor({ state: 'detached' });
  await page.close();
});
