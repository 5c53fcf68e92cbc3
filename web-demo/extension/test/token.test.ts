import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import { TOKEN, allow, approve, make, review, signIn } from './kit.js';
import { scene } from './scene.js';

const { browser, hub, panel } = await scene();

/** Records everything that crosses the borders of the document with the sandboxes, as text. */
function record(): string {
  const seen: string[] = [];
  const text = (value: unknown): string => {
    if (value instanceof Uint8Array) return String.fromCharCode(...value.subarray(0, 60_000));
    if (value instanceof WebAssembly.Module || typeof value === 'function') return '';
    if (typeof value !== 'object' || value === null) return String(value);
    const bytes: unknown = Reflect.get(value, '$bytes');
    if (typeof bytes === 'string') return atob(bytes);
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${text(one)}`)
      .join('\n');
  };
  const note = (value: unknown): void => void seen.push(text(value));
  Reflect.set(globalThis, 'seen', seen);
  chrome.runtime.onMessage.addListener((message: unknown) => (note(message), false));
  chrome.runtime.onConnect.addListener((port) => {
    port.onMessage.addListener(note);
    const post = port.postMessage.bind(port);
    port.postMessage = (message: unknown) => (note(message), post(message));
  });
  const send = chrome.runtime.sendMessage.bind(chrome.runtime);
  Reflect.set(chrome.runtime, 'sendMessage', async (message: unknown) => {
    note(message);
    const answer: unknown = await send(message);
    note(answer);
    return answer;
  });
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message: unknown) {
    note(message);
    post.call(this, message);
  };
  return 'recording';
}

test('the token is in no message that reaches a page, the document with the sandboxes, or a Worker', async () => {
  // The panel has woken all parts.
  await panel.getByRole('heading', { name: 'Sandboxes' }).waitFor();
  assert.equal(await browser.inDesk(`(${record})()`), 'recording');
  await signIn(panel, hub);
  await make(panel, 'project', 'Ada/Project');
  const page = await browser.page();
  await page.evaluate(() => {
    const heard: string[] = [];
    Reflect.set(window, 'heard', heard);
    const { port1, port2 } = new MessageChannel();
    window.postMessage('gitgate:connect', '/', [port2]);
    const calls = [
      { tool: 'write_file', args: { path: 'a.md', content: 'a needle\n' } },
      { tool: 'git_stage', args: { files: ['a.md'], message: 'Add a file' } },
      { tool: 'git_push', args: { commitId: 'HEAD' }, wait: 'ask' },
    ];
    port1.onmessage = ({ data }) => {
      heard.push(JSON.stringify(data));
      const next = calls.shift();
      if (next) port1.postMessage({ type: 'call', id: calls.length + 1, ...next });
    };
    port1.postMessage({ type: 'hello', name: 'Robot' });
  });
  await allow(panel, 'project');
  await review(panel);
  await approve(panel);
  assert.deepEqual([...hub.tokens], [`Bearer ${TOKEN}`]);
  assert.ok('a.md' in hub.files());
  await page.waitForFunction(() => (Reflect.get(window, 'heard') as string[]).length === 4);

  const heard = String(await page.evaluate(() => (Reflect.get(window, 'heard') as string[]).join('\n')));
  const seen = String(await browser.inDesk('seen.join("\\n")'));
  for (const [where, text] of [
    ['page', heard],
    ['desk', seen],
  ] as const) {
    assert.ok(!text.includes(TOKEN), where);
    assert.ok(!text.includes(btoa(TOKEN).slice(0, 16)), where);
  }
  // The crossing data: the requests, their answers, and the questions to the Worker.
  for (const needle of ['/git/blobs', 'a needle', 'git_push', 'full_name']) assert.ok(seen.includes(needle), needle);
  const answers = String(
    await panel.evaluate(async () =>
      JSON.stringify(await chrome.runtime.sendMessage({ to: 'worker', method: 'account' })),
    ),
  );
  assert.ok(answers.includes('"isSignedIn":true') && !answers.includes(TOKEN));
  await page.close();
});

test('who signs out, or goes to another server, has no token left', async () => {
  await panel.getByRole('button', { name: 'Sign out' }).click();
  await panel.getByLabel(/Fine-grained token/).waitFor();
  const left = await panel.evaluate(async () =>
    JSON.stringify([await chrome.storage.local.get(null), await chrome.storage.session.get(null)]),
  );
  assert.ok(!left.includes(TOKEN), left);

  await panel.getByLabel(/Fine-grained token/).fill(TOKEN);
  await panel.getByLabel('Keep it when the browser is closed').check();
  await panel.getByRole('button', { name: 'Sign in', exact: true }).click();
  await panel.getByText('until you sign out').waitFor();
  const other = await Hub.start();
  const options = panel.locator('details', { hasText: 'Options' });
  if ((await options.getAttribute('open')) === null) await options.locator('summary').click();
  await panel.getByLabel(/API address/).fill(other.base);
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByLabel(/Fine-grained token/).waitFor();
  const kept = await panel.evaluate(async () => JSON.stringify(await chrome.storage.local.get(null)));
  assert.ok(kept.includes(other.base) && !kept.includes(TOKEN), kept);
  assert.deepEqual([...other.tokens], []);
  other.close();
});
