import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { badge, joined, make, push, signIn, stage } from './kit.js';
import { scene } from './scene.js';

const { browser, hub, panel } = await scene();
await signIn(panel, hub);
await make(panel, 'project', 'Ada/Project');

interface Heard {
  type: string;
  error?: { kind: string };
  value?: { outcome?: string; kind?: string };
}

/**
 * Sends raw messages through a page's bridge, each after the answer to the previous one unless all
 * `atOnce`, and returns the answers.
 */
const say = (page: Page, messages: unknown[], atOnce = false): Promise<Heard[]> =>
  page.evaluate(
    async ({ messages, atOnce }) => {
      const { port1, port2 } = new MessageChannel();
      const heard: Heard[] = [];
      window.postMessage('gitgate:connect', '/', [port2]);
      const done = new Promise<void>((resolve) => {
        port1.onmessage = ({ data }) => {
          heard.push(data);
          const next = messages[heard.length];
          if (data.type === 'over' || (!next && !atOnce)) resolve();
          else if (next && !atOnce) port1.postMessage(next);
        };
      });
      for (const message of atOnce ? messages : messages.slice(0, 1)) port1.postMessage(message);
      await done;
      port1.postMessage({ type: 'close' });
      return heard;
    },
    { messages, atOnce },
  );

const list = { type: 'call', id: 1, tool: 'list_files', args: {} };

/** Evaluates in the content script's world, as a page that broke out would. */
async function inBridge(page: Page, expression: string): Promise<unknown> {
  const session = await browser.context.newCDPSession(page);
  const found = new Promise<number>((resolve) => {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.origin.startsWith('chrome-extension:')) resolve(context.id);
    });
  });
  await session.send('Runtime.enable');
  const contextId = await found;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return exceptionDetails ? `thrown: ${exceptionDetails.exception?.description}` : result.value;
}

test('an origin that was not allowed gets nothing, whatever it says of itself', async () => {
  const friend = await joined(browser, panel, 'project');
  const { origin } = new URL(browser.sample);
  const stranger = await browser.page(browser.sample.replace('127.0.0.1', 'localhost'));
  const over = await say(stranger, [list]);
  assert.deepEqual(
    over.map(({ type, error }) => [type, error?.kind]),
    [['over', 'refused']],
  );
  const forged = {
    type: 'hello',
    name: origin,
    agent: origin,
    origin,
    url: `${origin}/`,
    sender: { origin },
    sandbox: 'project',
  };
  const asked = say(stranger, [forged, list], true);
  assert.deepEqual(
    (await asked).map(({ type, error }) => [type, error?.kind]),
    [['over', 'refused']],
  );
  // While it asks, the person sees its real origin.
  await stranger.evaluate((forged) => {
    const { port1, port2 } = new MessageChannel();
    window.postMessage('gitgate:connect', '/', [port2]);
    port1.postMessage(forged);
  }, forged);
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  assert.ok((await card.innerText()).includes(new URL(stranger.url()).origin));
  await stranger.close();
  await card.waitFor({ state: 'detached' });
  await friend.close();
});

test('what is no object is no message, and ends the port', async () => {
  const page = await browser.page();
  for (const message of ['close', 7, true]) {
    const heard = await say(page, [message]);
    assert.deepEqual(
      heard.map(({ type, error }) => [type, error?.kind]),
      [['over', 'usage']],
    );
  }
  await page.close();
});

test('a frame has no agent of its own', async () => {
  const page = await browser.page();
  const has = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return frame.contentWindow !== null && 'gitgate' in frame.contentWindow;
  });
  assert.equal(has, false);
  await page.close();
});

test('an agent stays an agent: a forged caller, digest or method has no effect', async () => {
  const page = await browser.page();
  const hello = { type: 'hello', name: 'Robot' };
  const mine = { ...list, tool: 'sandbox_import', args: { url: 'https://github.com/ada/project' } };
  const honest = await say(page, [hello, mine]);
  const forged = await say(page, [hello, { ...mine, caller: 'user', as: 'user', user: true, ask: true }]);
  assert.equal(honest[1]?.value?.outcome, 'failed', JSON.stringify(honest));
  assert.deepEqual(forged, honest);

  await page.evaluate(async () => (window.agent = await window.gitgate.connect({ name: 'Robot' })));
  await stage(page, 'x.md');
  await push(page);
  await badge(panel, '1');
  const before = hub.head;
  const link = panel.getByRole('region', { name: 'Waits for you' }).getByRole('link');
  const id = (await link.getAttribute('href'))?.split('/').at(-1);
  assert.ok(id);
  const answer = { say: 'approve' };
  for (const message of [
    { type: 'request', id: 9, method: 'decide', args: { id, answer } },
    { type: 'decide', id: 9, args: { id, answer } },
    { type: 'review', id: 9, args: id },
    { type: 'settings', id: 9 },
    { type: 'given', id: 9, need: 1, given: { tag: 'question', val: answer } },
    { type: 'welcome', sandbox: 'project' },
  ]) {
    const heard = await say(page, [hello, message]);
    assert.equal(heard.at(-1)?.error?.kind, 'usage', JSON.stringify([message, heard]));
  }
  const digest = '0'.repeat(64);
  const withDigest = { ...list, tool: 'git_push', args: { commitId: 'HEAD' }, digest, answer, revision: {} };
  const pending = await say(page, [hello, withDigest]);
  assert.equal(pending[1]?.value?.outcome, 'pending', JSON.stringify(pending));
  assert.equal(hub.head, before);
  await badge(panel, '1');
  await page.close();
});

test('what runs beside a page can ask the extension for nothing, and read nothing that is kept', async () => {
  const page = await browser.page();
  const asked: [string, string, unknown][] = [
    ['desk', 'allow', { id: 'x', sandbox: 'project' }],
    ['desk', 'remove', 'project'],
    ['worker', 'load', null],
    ['worker', 'save', { grants: [], waits: [] }],
    ['worker', 'http', { forge: 'github', method: 'GET', path: '/user', moves: false }],
    ['worker', 'signOut', null],
    ['worker', 'account', null],
    ['worker', 'options', { base: 'https://evil.example', clientId: '' }],
    ['worker', 'constructor', null],
  ];
  for (const [to, method, args] of asked) {
    const answer = await inBridge(page, `chrome.runtime.sendMessage(${JSON.stringify({ to, method, args })})`);
    assert.deepEqual(answer, { error: { kind: 'refused', message: 'this may not be asked', hint: '' } }, method);
  }
  for (const area of ['local', 'session']) {
    const read = await inBridge(page, `chrome.storage.${area}.get(null).then((found) => 'read ' + Object.keys(found))`);
    assert.match(String(read), /^thrown: .*[Aa]ccess/, area);
  }
  // The panel uses ports named after a sandbox. This one is an agent's.
  const heard = await inBridge(
    page,
    `new Promise((resolve) => {
      const port = chrome.runtime.connect({ name: 'project' });
      port.onMessage.addListener((message) => resolve(message));
      port.postMessage({ type: 'request', id: 1, method: 'settings', args: null });
    })`,
  );
  assert.equal((heard as Heard).error?.kind, 'usage', JSON.stringify(heard));
  await page.close();
});
