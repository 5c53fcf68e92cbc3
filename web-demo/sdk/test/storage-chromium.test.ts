import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import type { Told } from '../src/error.js';
import { serveDist } from './serve.js';
import type { Served } from './serve.js';
import { load, start } from './storage/chromium.js';
import type { Chromium } from './storage/chromium.js';
import type { Operation } from './storage/worker.js';

let profile: string;
let served: Served;
let browser: Chromium;

before(async () => {
  profile = await mkdtemp(join(existsSync('/dev/shm/tmp') ? '/dev/shm/tmp' : tmpdir(), 'gitgate-'));
  served = await serveDist();
  browser = await start(profile, served.plain);
});

after(async () => {
  await browser?.kill();
  served?.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

async function answer(worker: string, operation: Operation, name: string) {
  return browser.page.evaluate(
    ([worker, operation, name]) => globalThis.storagePage.ask(worker, operation, name),
    [worker, operation, name] as const,
  );
}

/** A Worker's answer. */
async function ask(worker: string, operation: Operation, name = ''): Promise<unknown> {
  const said = await answer(worker, operation, name);
  return 'value' in said ? said.value : assert.fail(`${operation}: ${JSON.stringify(said.error)}`);
}

/** A Worker's error. */
async function fails(worker: string, operation: Operation, name = ''): Promise<Told> {
  const said = await answer(worker, operation, name);
  return 'error' in said ? said.error : assert.fail(`${operation}: ${JSON.stringify(said.value)}`);
}

test('what has returned is there after a reload, and after the browser was killed', async () => {
  await ask('a', 'open', 'one');
  const written = await ask('a', 'write', 'one');
  await load(browser.page, served.plain);
  await ask('a', 'open', 'one');
  assert.deepEqual(await ask('a', 'seen', 'one'), written);
  const again = await ask('a', 'write', 'one');
  assert.notDeepEqual(again, written);
  await browser.kill();
  browser = await start(profile, served.plain);
  await ask('a', 'open', 'one');
  assert.deepEqual(await ask('a', 'seen', 'one'), again);
  await ask('a', 'close', 'one');
});

test('an attachment that was found whole is known to be, in the file where it was', async () => {
  const reopened = async (name: string): Promise<unknown> => {
    await ask('a', 'open', name);
    const isKnown = await ask('a', 'whole', name);
    await ask('a', 'close', name);
    return isKnown;
  };
  await ask('a', 'open', 'whole');
  await ask('a', 'write', 'whole');
  assert.equal(await ask('a', 'whole', 'whole'), null, 'nobody has read it yet');
  await ask('a', 'close', 'whole');
  assert.deepEqual([await reopened('whole'), await reopened('whole')], [false, true]);
  await ask('a', 'copy', 'whole');
  assert.equal(await reopened('whole, copied'), false, 'a copy is another file');
  assert.equal(await reopened('whole'), true);
  for (const name of ['whole', 'whole, copied']) await ask('a', 'remove', name);
});

test('one that is open elsewhere is busy, and free soon after its Worker was ended in the middle', async () => {
  await ask('a', 'open', 'one');
  const busy = await Promise.all([fails('b', 'open', 'one'), fails('c', 'remove', 'one'), fails('d', 'copy', 'one')]);
  for (const { kind, message, hint } of busy) {
    assert.deepEqual([kind, message, hint !== ''], ['busy', "'one' is open elsewhere", true]);
  }
  assert.deepEqual(await ask('b', 'list'), ['one']);
  await browser.page.evaluate(() => {
    void globalThis.storagePage.ask('a', 'hang', 'one');
  });
  await browser.page.evaluate(() => globalThis.storagePage.end('a'));
  await ask('b', 'open', 'one');
  await ask('b', 'write', 'one');
  await ask('b', 'close', 'one');
});

test('sandboxes are listed, copied and removed by any name', async () => {
  const names = ['../..', 'Case', 'case', '🦀'.repeat(100 - ', copied'.length), 'a/b\\c:\u202e%00'];
  for (const name of names) {
    await ask('c', 'open', name);
    await ask('c', 'write', name);
    await ask('c', 'close', name);
    await ask('c', 'copy', name);
    assert.equal((await fails('c', 'copy', name)).kind, 'sandbox-exists');
    for (const there of [name, `${name}, copied`]) await ask('c', 'open', there);
    assert.deepEqual(await ask('c', 'seen', name), await ask('c', 'seen', `${name}, copied`));
    for (const there of [name, `${name}, copied`]) await ask('c', 'close', there);
  }
  const all = [...names, ...names.map((name) => `${name}, copied`), 'one'].sort();
  assert.deepEqual(await ask('c', 'list'), all);
  for (const name of all.filter((name) => name !== 'one')) await ask('c', 'remove', name);
  assert.deepEqual(await ask('c', 'list'), ['one']);
  assert.equal((await fails('c', 'remove', 'Case')).kind, 'no-such-sandbox');
  assert.equal((await fails('c', 'copy', 'Case')).kind, 'no-such-sandbox');
  for (const name of ['', 'x'.repeat(101)]) assert.equal((await fails('c', 'open', name)).kind, 'usage');
  // The name is free again, and the old content is gone.
  await ask('c', 'open', 'Case');
  const nothing = { length: 0, sum: 0, records: [], blobs: 0, blob: null, settings: null };
  assert.deepEqual(await ask('c', 'seen', 'Case'), nothing);
  await ask('c', 'close', 'Case');
  await ask('c', 'remove', 'Case');
});

test('what an interrupted copy has left is no sandbox, and goes with the next that is removed', async () => {
  for (const name of ['one, copied', 'other']) {
    await ask('c', 'open', name);
    await ask('c', 'write', name);
    await ask('c', 'close', name);
  }
  const left = (): Promise<number> =>
    browser.page.evaluate(async () => {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('gitgate');
      let count = 0;
      for await (const entry of root.values()) {
        if (!(entry instanceof FileSystemDirectoryHandle)) continue;
        count += 1;
        const file = await (await entry.getFileHandle('name')).getFile().catch(() => undefined);
        if ((await file?.text()) === 'one, copied') await entry.removeEntry('name');
      }
      return count;
    });
  assert.equal(await left(), 3);
  assert.deepEqual(await ask('c', 'list'), ['one', 'other']);
  await ask('c', 'remove', 'other');
  assert.equal(await left(), 1);
  // A leftover folder is recreated empty.
  await ask('c', 'copy', 'one');
  assert.equal(await left(), 2);
  await ask('c', 'copy', 'one');
  await ask('c', 'remove', 'one, copied');
});

test('where the quota is used up nothing has changed, and the error says what to do', async () => {
  await ask('d', 'open', 'full');
  await ask('d', 'write', 'full');
  const session = await browser.page.context().newCDPSession(browser.page);
  const quota = (quotaSize?: number) =>
    session.send('Storage.overrideQuotaForOrigin', {
      origin: new URL(served.plain).origin,
      ...(quotaSize !== undefined && { quotaSize }),
    });
  await quota(2 << 20);
  const before = await ask('d', 'seen', 'full');
  const ways = await ask('d', 'fill', 'full');
  assert.ok(Array.isArray(ways) && ways.length === 4);
  for (const { way, error, isSame, leftovers } of ways) {
    assert.equal(error?.kind, 'storage', way);
    assert.match(error.message, /quota/, way);
    assert.match(error.hint, /persist\(\)/, way);
    assert.deepEqual([isSame, leftovers], [true, []], way);
  }
  await ask('d', 'close', 'full');
  await ask('d', 'open', 'full');
  assert.deepEqual(await ask('d', 'seen', 'full'), before);
  await ask('d', 'close', 'full');
  // A copy that does not fit does not exist at all.
  await quota(1 << 16);
  assert.match((await fails('d', 'copy', 'full')).message, /quota/);
  await quota();
  assert.deepEqual(await ask('d', 'list'), ['full', 'one']);
  await ask('d', 'open', 'full');
  await ask('d', 'write', 'full');
  await ask('d', 'close', 'full');
  await ask('d', 'remove', 'full');
  await session.detach();
});

test('a sandbox with a long journal and many attachments is open again as it was', async (t) => {
  await ask('f', 'open', 'speed');
  t.diagnostic(JSON.stringify(await ask('f', 'measure', 'speed')));
  await ask('f', 'close', 'speed');
  await load(browser.page, served.plain);
  const reopened = await ask('g', 'reopen', 'speed');
  t.diagnostic(JSON.stringify(reopened));
  assert.ok(typeof reopened === 'object' && reopened !== null && 'bytes' in reopened && 'blobs' in reopened);
  assert.deepEqual([Number(reopened.bytes) >= 40 << 20, reopened.blobs], [true, 100]);
  await ask('g', 'close', 'speed');
  await ask('g', 'remove', 'speed');
});
