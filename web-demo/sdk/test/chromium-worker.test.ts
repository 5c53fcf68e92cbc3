import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { both, chrome } from './both.js';
import { slow } from './slow.js';

/** Cancels a diff shortly after its start. */
function callOff(page: Page, how: 'signal' | 'timeoutMs') {
  return page.evaluate(async (how) => {
    const begun = performance.now();
    const limits = how === 'signal' ? { signal: AbortSignal.timeout(50) } : { timeoutMs: 50 };
    const kind = (error: unknown): string => String(Reflect.get(Object(error), 'kind'));
    const ended = await sandbox.call('git_diff', { stat: true }, limits).then(({ outcome }) => outcome, kind);
    return { ended, took: performance.now() - begun };
  }, how);
}

test('a long call is called off by the clock, and the Worker goes on', async () => {
  const page = await chrome.page(chrome.served.isolated);
  await slow(page, 'memory');
  const whole = await page.evaluate(async () => {
    const begun = performance.now();
    await sandbox.call('git_diff', { stat: true });
    return performance.now() - begun;
  });
  for (const [how, kind] of [
    ['signal', 'interrupted'],
    ['timeoutMs', 'timeout'],
  ] as const) {
    const { ended, took } = await callOff(page, how);
    assert.equal(ended, kind);
    assert.ok(took < whole / 2, `${took} ms of ${whole}`);
  }
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.close();
});

test('a long call in memory ends by itself where no clock can be told', async () => {
  const page = await chrome.page(chrome.served.plain);
  await slow(page, 'memory');
  const { ended } = await callOff(page, 'signal');
  // It has ended meanwhile, and its result is equally valid.
  assert.equal(ended, 'done');
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.close();
});

test('a long call is called off by replacing the Worker', async () => {
  const page = await chrome.page(chrome.served.plain);
  await slow(page, 'opfs');
  const { ended } = await callOff(page, 'signal');
  assert.equal(ended, 'interrupted');
  assert.equal(await page.evaluate(async () => (await sandbox.staged()).length), 1);
  await page.evaluate(async () => {
    await sandbox.close();
    await gitgate.removeSandbox('slow');
  });
  await page.close();
});

both('a Worker that is killed in the middle of a call takes what is in memory with it', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, memory } = gitgate;
    const workers: Worker[] = [];
    const worker = () => {
      const made = new Worker(new URL('/src/worker/main.js', location.href), { type: 'module' });
      workers.push(made);
      return made;
    };
    const sandbox = await openSandbox({ name: 'one', storage: memory(), assets: { worker } });
    const call = sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
    workers[0]?.terminate();
    const fields = (error: unknown) => Object.assign({}, error) as { kind: string };
    return [await call.catch(fields), await sandbox.status().catch(fields)];
  });
  for (const ended of seen) assert.ok('kind' in ended && ended.kind === 'lost', JSON.stringify(ended));
});

both('a Worker that is killed in the middle of a call is replaced, and no finished call is lost', async (page) => {
  const seen = await page.evaluate(async () => {
    const { openSandbox, opfs, removeSandbox } = gitgate;
    const workers: Worker[] = [];
    const worker = () => {
      const made = new Worker(new URL('/src/worker/main.js', location.href), { type: 'module' });
      workers.push(made);
      return made;
    };
    const sandbox = await openSandbox({
      name: 'killed',
      storage: opfs(),
      identity: 'Ada <ada@example.org>',
      assets: { worker },
    });
    const finished: string[] = [];
    const unknown: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const calls = Array.from({ length: 10 }, async (_, at) => {
        const path = `f${round}-${at}`;
        try {
          const { outcome } = await sandbox.call('write_file', { path, content: path });
          (outcome === 'done' ? finished : unknown).push(path);
          if (at === 4) workers.at(-1)?.terminate();
        } catch (error) {
          unknown.push(Object.assign({ kind: '' }, error).kind);
        }
      });
      await Promise.all(calls);
    }
    const lost: string[] = [];
    for (const path of finished) {
      const read = await sandbox.call('read_file', { path });
      if (read.outcome !== 'done' || read.text.trim() !== path) lost.push(path);
    }
    const { sound } = await sandbox.fsck();
    await sandbox.close();
    await removeSandbox('killed');
    return { workers: workers.length, finished: finished.length, unknown, lost, sound };
  });
  assert.equal(seen.workers, 6);
  assert.deepEqual(seen.lost, []);
  assert.equal(seen.sound, true);
  // Only the call that ran when its Worker was killed has an unknown outcome.
  assert.ok(seen.unknown.every((kind) => kind === 'interrupted') && seen.unknown.length <= 5, String(seen.unknown));
  assert.equal(seen.finished + seen.unknown.length, 50);
});
