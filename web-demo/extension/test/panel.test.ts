import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';

import { faults, look as lookAt } from '../../app/test/look.js';
import { badge, begin, ended, joined, make, push, review, signIn, stage } from './kit.js';
import { scene } from './scene.js';

const { browser, hub, panel } = await scene();

/** At widths of a side panel. */
const look = (name: string): Promise<void> => lookAt(panel, name, [320, 400, 900]);
after(() => assert.deepEqual(faults, []));

test('axe finds nothing serious in the panel, light and dark, from 320 px', async () => {
  await look('empty');
  await signIn(panel, hub);
  await make(panel, 'project', 'Ada/Project');
  const page = await joined(browser, panel, 'project', '<b>Robot</b> \u202e of somebody');
  await stage(page, 'a.md');
  await push(page);
  const other = await browser.page(browser.sample.replace('127.0.0.1', 'localhost'));
  await begin(other, 'x'.repeat(80));
  await badge(panel, '2');
  await look('home');
  await review(panel);
  await look('review');
  await panel.getByRole('button', { name: 'Back', exact: true }).click();
  await panel.getByRole('link', { name: 'Audit log' }).click();
  await look('audit');
  await panel.keyboard.press('Escape');
  await other.close();
  await page.close();
});

test('a push is reviewed and rejected by keys alone', async () => {
  const page = await browser.page();
  await begin(page);
  await page.evaluate(async () => (window.agent = await window.asked));
  await push(page);
  const link = panel.getByRole('region', { name: 'Waits for you' }).getByRole('link');
  await link.focus();
  await panel.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Approve' }).waitFor();
  await panel.getByRole('button', { name: 'Changes', exact: true }).press('Enter');
  await panel.locator('.gg-line').first().waitFor();
  await panel.keyboard.press('/');
  await panel.getByRole('textbox', { name: 'Find' }).waitFor();
  await panel.keyboard.type('@@');
  await panel.getByText('1 of', { exact: false }).waitFor();
  await panel.keyboard.press('Escape');
  await panel.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
  await panel.keyboard.press('r');
  await panel.getByRole('dialog').waitFor();
  await panel.keyboard.type('by keys');
  await panel.keyboard.press('Control+Enter');
  const reply = await ended(page);
  assert.ok(reply.outcome === 'failed' && reply.reason === 'by keys', JSON.stringify(reply));
  await panel.keyboard.press('Escape');
  await panel.getByRole('heading', { name: 'Sandboxes' }).waitFor();
  await page.close();
});

test('a wish allows nothing: the person chooses the sandbox', async () => {
  const page = await browser.page(browser.sample.replace('127.0.0.1', 'localhost'));
  await page.evaluate(() => {
    window.gitgate.connect({ name: 'Robot', sandbox: 'project' }).catch(() => undefined);
  });
  const card = panel.getByRole('region', { name: 'Agents that ask' });
  await card.getByText('It would like project.').waitFor();
  assert.ok(await card.getByRole('button', { name: 'Allow', exact: true }).isDisabled());
  await page.close();
  await card.waitFor({ state: 'detached' });
});

test('a person signs in by a code, with the service worker stopped meanwhile', async (t) => {
  let isTyped = false;
  const asked: string[] = [];
  const github = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    asked.push(`${request.url} ${body}`);
    const answers: { [path: string]: object } = {
      '/login/device/code': {
        user_code: 'ABCD-1234',
        device_code: 'secret',
        interval: 0.05,
        verification_uri: 'https://evil.example/',
      },
      '/login/oauth/access_token': isTyped ? { access_token: 'gho_by_code' } : { error: 'authorization_pending' },
      '/user': { login: 'ada' },
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    github.closeAllConnections();
    github.close();
  });
  const base = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
  const options = panel.locator('details', { hasText: 'Options' });
  if ((await options.getAttribute('open')) === null) await options.locator('summary').click();
  assert.equal(await panel.getByRole('button', { name: 'With a code…' }).count(), 0);
  await panel.getByLabel(/API address/).fill(base);
  await panel.getByLabel(/Client id/).fill('client-of-ours');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('button', { name: 'With a code…' }).click();
  await panel.getByText('ABCD-1234').waitFor();
  assert.equal(await panel.getByRole('link', { name: base }).getAttribute('href'), `${base}/login/device`);
  await browser.stopWorker();
  isTyped = true;
  await panel.getByText('Signed in as ada').waitFor();
  assert.ok(asked.some((one) => one.includes('client_id=client-of-ours') && one.includes('device_code=secret')));
  const account = await panel.evaluate(async () =>
    JSON.stringify(await chrome.runtime.sendMessage({ to: 'worker', method: 'account' })),
  );
  assert.ok(!account.includes('gho_') && !account.includes('secret'), account);
});
