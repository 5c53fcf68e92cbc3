import assert from 'node:assert/strict';
import { test } from 'node:test';

import { admitted, allow, approve, badge, begin, ended, make, push, reject, review, signIn, stage } from './kit.js';
import { scene } from './scene.js';

const { browser, hub, panel } = await scene();

/** Runs the steps one after the other, and stops `part` before each. */
async function between(part: () => Promise<void>, steps: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    await part();
    await step();
  }
}

test('the service worker is stopped between any two steps, and everything goes on', async () => {
  const page = await browser.page();
  await between(browser.stopWorker, [
    () => signIn(panel, hub),
    () => make(panel, 'project', 'Ada/Project'),
    () => begin(page),
    () => badge(panel, '1'),
    () => allow(panel, 'project'),
    () => admitted(page),
    () => stage(page, 'a.md'),
    () => push(page),
    () => badge(panel, '1'),
    () => review(panel),
    () => reject(panel, 'not like this'),
    async () => assert.equal((await ended(page)).outcome, 'failed'),
    () => stage(page, 'b.md'),
    () => push(page),
    () => review(panel),
    () => approve(panel),
    async () => assert.equal((await ended(page)).outcome, 'done'),
    () => badge(panel, ''),
  ]);
  assert.equal(hub.files()['b.md'], 'of an agent: b.md\n');
  await page.close();
});

test('the document with the sandboxes is made again, with what is allowed and what waits', async () => {
  const page = await browser.page();
  await begin(page);
  await admitted(page);
  await stage(page, 'c.md');
  await push(page);
  await badge(panel, '1');
  await browser.killDesk();
  assert.equal(await page.evaluate(async () => (await window.agent.closed).kind), 'lost');
  await badge(panel, '1');
  await begin(page);
  assert.equal(await admitted(page), 'project');
  await push(page);
  await review(panel);
  await browser.killDesk();
  // The review is gone with it, and can be reopened.
  await panel.getByRole('button', { name: 'Try again' }).click();
  await panel.getByRole('button', { name: 'Approve' }).waitFor();
  await approve(panel);
  assert.equal(hub.files()['c.md'], 'of an agent: c.md\n');
  await badge(panel, '');
  await begin(page);
  await admitted(page);
  const again = await page.evaluate(() => window.agent.call('git_status', {}));
  assert.equal(again.outcome, 'done');
  await page.close();
});

test('who asked a document that is gone is counted no more', async () => {
  const page = await browser.page(browser.sample.replace('127.0.0.1', 'localhost'));
  await begin(page);
  await badge(panel, '1');
  await browser.killDesk();
  await badge(panel, '');
  await page.close();
});

test('ten that ask at once make one document', async () => {
  await browser.killDesk();
  await browser.stopWorker();
  const pages = await Promise.all(Array.from({ length: 10 }, () => browser.page()));
  await Promise.all(pages.map((page) => begin(page)));
  assert.deepEqual(new Set(await Promise.all(pages.map((page) => admitted(page)))), new Set(['project']));
  assert.equal(await browser.count('background_page', '/desk/index.html'), 1);
  await Promise.all(pages.map((page) => page.close()));
});
