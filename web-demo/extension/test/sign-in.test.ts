import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import { TOKEN, until } from './kit.js';
import { scene } from './scene.js';

const { panel } = await scene();

/** The person switches to the server with that address. */
async function goTo(base: string): Promise<void> {
  const options = panel.locator('details', { hasText: 'Options' });
  if ((await options.getAttribute('open')) === null) await options.locator('summary').click();
  await panel.getByLabel(/API address/).fill(base);
  await panel.getByRole('button', { name: 'Save' }).click();
  const stored = (): Promise<string | undefined> =>
    panel.evaluate(async () => {
      const { options } = await chrome.storage.local.get<{ options?: { base: string } }>('options');
      return options?.base;
    });
  await until(stored, base);
}

/** The service worker's answer, which may be an error. */
const askWorker = (method: string, args: unknown): Promise<string> =>
  panel.evaluate(
    async (message) => JSON.stringify(await chrome.runtime.sendMessage(message)),
    { to: 'worker', method, args },
  );

/** A server that answers only on command. */
async function slow(t: TestContext, answers: { [path: string]: object }) {
  let heard = (): void => undefined;
  let go = (): void => undefined;
  const asked = new Promise<void>((resolve) => (heard = resolve));
  const told = new Promise<void>((resolve) => (go = resolve));
  const server = createServer((request, response) => {
    heard();
    void told.then(() => {
      const answer = answers[request.url ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, go };
}

for (const leave of ['goes to another server', 'signs out'] as const) {
  test(`who ${leave} while a server looks at a token does not sign in by its answer`, async (t) => {
    const first = await slow(t, { '/user': { login: 'ada' } });
    const second = await Hub.start();
    t.after(() => second.close());
    await goTo(first.base);
    await panel.evaluate((given) => chrome.storage.session.set({ given }), TOKEN);
    const signing = askWorker('signIn', { keep: false });
    await first.asked;
    if (leave === 'signs out') await askWorker('signOut', null);
    else await goTo(second.base);
    first.go();
    assert.match(await signing, /"kind":"interrupted"/);
    const left = await panel.evaluate(async () => JSON.stringify(await chrome.storage.session.get(null)));
    assert.ok(!left.includes(TOKEN), left);
  });
}

test('what a server says of a sign-in is a code, a name and a time, or nothing', async (t) => {
  const code = { device_code: 'S', user_code: 'ABCD-1234', interval: 0 };
  const answers: { [path: string]: object } = { '/user': { login: 'ada \u202e at github.com' } };
  const server = await slow(t, answers);
  server.go();
  await goTo(server.base);
  await askWorker('options', { base: server.base, clientId: 'C' });
  answers['/login/device/code'] = { ...code, user_code: 'A at https://evil.example/ or' };
  assert.match(await askWorker('device', { keep: false }), /"kind":"refused"/);
  for (const [interval, everyMs] of [
    [0, 1000],
    [-1, 1000],
    [1e10, 60_000],
  ] as const) {
    answers['/login/device/code'] = { ...code, interval };
    assert.ok((await askWorker('device', { keep: false })).includes(`"everyMs":${everyMs}}`), String(interval));
  }
  await panel.evaluate((given) => chrome.storage.session.set({ given }), TOKEN);
  assert.match(await askWorker('signIn', { keep: false }), /"isSignedIn":true,"login":null/);
  await askWorker('signOut', null);
});

for (const leave of ['goes to another server', 'calls it off'] as const) {
  test(`who ${leave} while a code becomes a token does not sign in by it`, async (t) => {
    const first = await slow(t, { '/login/oauth/access_token': { access_token: TOKEN }, '/user': { login: 'ada' } });
    const second = await Hub.start();
    t.after(() => second.close());
    await goTo(first.base);
    const device = { code: 'A', address: '', everyMs: 1e6, secret: 'S', keep: false, login: first.base };
    await panel.evaluate((device) => chrome.storage.session.set({ device }), device);
    const polling = askWorker('poll', null);
    await first.asked;
    if (leave === 'calls it off') await askWorker('signOut', null);
    else await goTo(second.base);
    first.go();
    assert.match(await polling, /"isSignedIn":false/);
    assert.deepEqual([...second.tokens], []);
    const left = await panel.evaluate(async () => JSON.stringify(await chrome.storage.session.get(null)));
    assert.ok(!left.includes(TOKEN), left);
  });
}
