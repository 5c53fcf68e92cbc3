// Cancelling an opening, in Chromium.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { browser } from './browser.js';
import type { Browser } from './browser.js';

let chrome: Browser;
/** It accepts requests and answers none. */
const mute = createServer(() => undefined);

before(async () => {
  mute.listen(0, '127.0.0.1');
  [chrome] = await Promise.all([browser(), once(mute, 'listening')]);
});
after(async () => {
  mute.closeAllConnections();
  mute.close();
  await chrome.close();
});

declare global {
  var off: AbortController;
  var ended: Promise<string>;
}

for (const kind of ['plain', 'isolated'] as const) {
  test(`an import from GitHub that is called off leaves nothing behind (${kind})`, async () => {
    const page = await chrome.page(chrome.served[kind]);
    const asked = once(mute, 'request');
    await page.evaluate((port) => {
      globalThis.off = new AbortController();
      const github = { base: `http://127.0.0.1:${port}` };
      const from = { github: 'ada/project' };
      globalThis.ended = gitgate
        .openSandbox({ name: 'one', storage: gitgate.opfs(), from, github, signal: off.signal })
        .then(
          () => 'opened',
          ({ kind, message }) => `${kind}: ${message}`,
        );
    }, (mute.address() as AddressInfo).port);
    await asked;
    const seen = await page.evaluate(async () => {
      off.abort();
      const how = await ended;
      const left = await gitgate.listSandboxes();
      const signal = AbortSignal.abort();
      const never = await gitgate
        .openSandbox({ name: 'one', storage: gitgate.opfs(), signal })
        .catch(({ kind }) => kind as string);
      // Neither a lock nor a Worker remains.
      const sandbox = await gitgate.openSandbox({ name: 'one', storage: gitgate.opfs() });
      const status = (await sandbox.status()).outcome;
      await sandbox.close();
      await gitgate.removeSandbox('one');
      return { how, left, never, status };
    });
    const how = 'interrupted: the opening was called off; nothing has changed';
    assert.deepEqual(seen, { how, left: [], never: 'interrupted', status: 'done' });
    await page.close();
  });
}

test('an opening that waits for a lock is called off, and one that is over has no part in the signal', async () => {
  const page = await chrome.page(chrome.served.plain);
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory, opfs } = gitgate;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const lock = navigator.locks.request('gitgate:held', () => held);
    const off = new AbortController();
    const waits = openSandbox({ name: 'held', storage: opfs(), signal: off.signal }).catch(({ kind }) => kind as string);
    // Another tab's question comes after it.
    const channel = new BroadcastChannel('gitgate:held');
    await new Promise((resolve) => channel.addEventListener('message', resolve, { once: true }));
    off.abort();
    const how = await waits;
    release();
    await lock;
    const left = await gitgate.listSandboxes();
    const late = new AbortController();
    const sandbox = await openSandbox({ name: 'other', storage: memory(), signal: late.signal });
    late.abort();
    const status = (await sandbox.status()).outcome;
    await sandbox.close();
    return { how, left, status };
  });
  assert.deepEqual(seen, { how: 'interrupted', left: [], status: 'done' });
  await page.close();
});
