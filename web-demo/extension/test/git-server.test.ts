// Git servers other than GitHub, which the service worker asks.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';

import { ADA, repository } from '../../sdk/test/git-backend.js';
import { scene } from './scene.js';

const { browser, panel } = await scene();
const seen: IncomingMessage[] = [];
/** It allows no page (CORS). */
const server = createServer((request, response) => {
  seen.push(request);
  response.end('refs');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;

/** The answer for the document with the sandboxes. */
const asked = (address: string): Promise<unknown> => {
  const path = `${address}/info/refs?service=git-upload-pack`;
  const args = { forge: 'git', method: 'GET', path, moves: false };
  return browser.inDesk(`chrome.runtime.sendMessage(${JSON.stringify({ to: 'worker', method: 'http', args })})`);
};

test('a git server that the person has allowed is asked, without any credentials', async () => {
  await panel.getByRole('heading', { name: 'Sandboxes' }).waitFor();
  const answer = await asked(local);
  const { ok } = answer as { ok?: { tag: string; val: { status: number; body: { $bytes: string } } } };
  assert.deepEqual([ok?.tag, ok?.val.status], ['response', 200], JSON.stringify(answer));
  assert.equal(atob(ok?.val.body.$bytes ?? ''), 'refs');
  assert.equal(seen.length, 1, 'nothing is asked in advance');
  const { authorization, cookie, 'git-protocol': protocol } = seen[0]?.headers ?? assert.fail();
  assert.deepEqual([protocol, authorization, cookie], ['version=2', undefined, undefined]);
});

test('one that the person has not allowed is not asked, and the error says where to allow it', async () => {
  for (const address of ['https://git.example.org', 'https://git.example.org:8443']) {
    assert.deepEqual(await asked(`${address}/x.git`), {
      error: {
        kind: 'refused',
        message: 'the browser does not let the extension reach git.example.org',
        hint: 'allow https://git.example.org in the browser\'s settings of the extension, at "Site access"',
      },
    });
  }
  const { error } = (await asked('git@example.org:x.git')) as { error: { kind: string; message: string } };
  assert.deepEqual([error.kind, error.message], ['usage', 'ssh cannot be reached from here']);
});

test('a person brings in a repository of a git server, and signs in there until the browser is closed', async (t) => {
  const { address } = await repository(t);
  const fold = panel.locator('details', { hasText: 'New sandbox' });
  const fill = (label: string | RegExp, text: string) => fold.getByLabel(label).fill(text);
  await fill(/^Repository/, `${address}/`);
  await fill('User name', ADA.username);
  await fill(/^Password/, 'wrong');
  await fold.getByRole('button', { name: 'Make it' }).click();
  await fold.getByText('the git server wants a user name').waitFor();
  await fill(/^Password/, ADA.password);
  await fold.getByRole('button', { name: 'Make it' }).click();
  await panel.getByRole('button', { name: 'Delete project' }).waitFor();
  assert.equal(await browser.inDesk('typeof chrome.storage'), 'undefined', 'the document reads no password');
});

test('what is no repository is said before anything is asked', async () => {
  const fold = panel.locator('details', { hasText: 'New sandbox' });
  await fold.locator('summary').click();
  for (const text of ['https://ada:hunter2@git.example/x', 'https://git.example/', 'https://git.example/x?y', 'x']) {
    await fold.getByLabel(/^Repository/).fill(text);
    await fold.getByText('A repository is owner/name, or an https address.').waitFor();
  }
});
