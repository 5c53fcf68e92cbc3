// A sandbox whose policy asks before any change. The SDK creates it, because the page cannot.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { test } from 'node:test';

import { look } from './look.js';
import { scene } from './page.js';
import { call, go, play, played } from './steps.js';

type Sdk = typeof import('../../sdk/src/index.js');

// The tests are compiled to app/.test/app/test.
const SDK = new URL('../../../../sdk/dist/', import.meta.url);
const PAGE = '<!doctype html><link rel="icon" href="data:,">';
const TYPES: { [ending: string]: string } = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

const chrome = await scene();

async function makeStrict(name: string): Promise<void> {
  await chrome.context.route(`${chrome.address}sdk/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/sdk/', '');
    if (path === '') return route.fulfill({ contentType: 'text/html', body: PAGE });
    const contentType = TYPES[extname(path)] ?? 'text/plain';
    return route.fulfill({ contentType, body: await readFile(new URL(path, SDK)) });
  });
  const page = await chrome.context.newPage();
  await page.goto(`${chrome.address}sdk/`);
  await page.evaluate(async (name) => {
    const { openSandbox, opfs }: Sdk = await import(new URL('src/index.js', location.href).href);
    const identity = 'Ada <ada@example.org>';
    const sandbox = await openSandbox({ name, storage: opfs(), identity, policy: 'strict', push: 'assisted' });
    await sandbox.close();
  }, name);
  await page.close();
}

test('a rule that is offered with a question is shown, saved with the approval, and not asked about again', async () => {
  await makeStrict('strict');
  const page = await chrome.page('#/s/strict/agent');
  await page.getByRole('textbox', { name: "The agent's calls" }).waitFor();
  const change = (path: string): [string, string] => [
    call('write_file', { path, content: path }),
    call('git_stage', { files: [path], message: `Write ${path}` }),
  ];
  const ask = async (path: string): Promise<void> => {
    await play(page, ...change(path));
    await page.getByText('It waits for your answer').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByText('tool = "git_stage"').waitFor();
  };
  const box = page.getByRole('checkbox', { name: /save this rule/ });
  await ask('a.md');
  await look(page, 'remember');
  await box.check();
  await page.keyboard.press('l');
  await ask('b.md');
  assert.equal(await box.isChecked(), false, 'each question has its own');
  await box.check();
  await page.keyboard.press('a');
  await go(page, 'Agent');
  await played(page);
  await play(page, ...change('c.md'));
  await played(page);
  assert.equal(await page.locator('.step.done').count(), 2, 'nobody is asked');
  await page.close();
});
