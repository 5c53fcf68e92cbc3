import assert from 'node:assert/strict';
import { test } from 'node:test';

import { allow, make } from './kit.js';
import { scene } from './scene.js';

const { browser, panel } = await scene();

interface Heard {
  type: string;
  sandbox?: string;
  value?: { outcome: string };
}

test('another extension is an agent, and is known by its id', async () => {
  await make(panel, 'mine');
  const heard = browser.other.evaluate(async (id) => {
    await chrome.runtime.sendMessage(id, 'gitgate:wake');
    const port = chrome.runtime.connect(id);
    const all: Heard[] = [];
    return new Promise<Heard[]>((resolve) => {
      port.onMessage.addListener((message: Heard) => {
        all.push(message);
        if (message.type === 'welcome') port.postMessage({ type: 'call', id: 1, tool: 'list_files', args: {} });
        else resolve(all);
      });
      port.postMessage({ type: 'hello', name: 'Helper', agent: 'https://a.example' });
    });
  }, browser.id);
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  await card.getByText('Helper').waitFor();
  const { host } = new URL(browser.other.url());
  assert.ok((await card.innerText()).includes(`chrome-extension://${host}`));
  await allow(panel, 'mine');
  const [welcome, done] = await heard;
  assert.deepEqual(welcome, { type: 'welcome', sandbox: 'mine' });
  assert.equal(done?.value?.outcome, 'done', JSON.stringify(done));
});

test('another extension can ask for no more than an agent', async () => {
  const answers = await browser.other.evaluate(async (id) => {
    const asked = [
      { to: 'worker', method: 'load', args: null },
      { to: 'desk', method: 'remove', args: 'mine' },
    ];
    const none = (message: object): Promise<unknown> =>
      chrome.runtime.sendMessage(id, message).then(
        (answer: unknown) => answer ?? null,
        (error: unknown) => String(error),
      );
    return Promise.all(asked.map(none));
  }, browser.id);
  for (const answer of answers) assert.ok(answer === null || /closed|not exist/.test(String(answer)), String(answer));
  await panel.getByRole('button', { name: 'Delete mine' }).waitFor();
});
