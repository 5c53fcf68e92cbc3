import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Kept } from '../src/storage/index.js';
import { openMemory } from '../src/storage/index.js';
import { Keeping } from '../src/storage/keeping.js';
import { Disk, random } from './storage/disk.js';
import { ID, Model, OTHER, bytes, changes, content, make, note, parts, seen } from './storage/model.js';

async function opened(disk: Disk): Promise<Kept> {
  const kept = new Keeping(disk.files());
  await kept.ready();
  return kept;
}

/** Both kinds of storage that work without a browser. */
async function each(look: (kept: Kept) => Promise<void> | void): Promise<void> {
  for (const kept of [openMemory(), await opened(new Disk())]) await look(kept);
}

test('a storage shows what any sequence of changes has left, also when it is opened again', async () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const pick = random(seed);
    const disk = new Disk();
    let kept = await opened(disk);
    const model = new Model();
    const change = changes(pick, model);
    for (let step = 0; step < 400; step += 1) {
      const next = change();
      const mark = make(kept, next);
      note(model, next);
      if (mark && 'log' in next) assert.deepEqual(mark, kept.mark(next.log));
      if (pick(20) === 0) {
        kept.close();
        kept = await opened(disk.crashed('none'));
        assert.deepEqual(seen(kept), model.seen(), `seed ${seed}, step ${step}: what has returned is durable`);
        kept = await opened(disk);
      }
      await kept.ready();
      assert.deepEqual(seen(kept), model.seen(), `seed ${seed}, step ${step}: ${next.do}`);
    }
    assert.deepEqual(kept.leftovers(), []);
  }
});

test('one holds the lock at a time', () =>
  each((kept) => {
    const free = kept.lock(true);
    assert.throws(() => kept.lock(false), { kind: 'busy' });
    free();
    kept.lock(false)();
  }));

test('a mark of another generation, or behind the end, is refused', () =>
  each((kept) => {
    assert.equal(kept.mark('journal'), undefined);
    assert.throws(() => kept.append('journal', 1n, 0n, parts()), { kind: 'storage' });
    const before = kept.replace('journal', parts(bytes('long')));
    for (const text of ['made', 'once', 'more']) {
      const now = kept.replace('journal', parts(bytes(text)));
      assert.notEqual(now.generation, before.generation);
      assert.throws(() => kept.append('journal', before.generation, 4n, parts(bytes('x'))), { kind: 'storage' });
      assert.throws(() => kept.cut('journal', before.generation, 1n), { kind: 'storage' });
      assert.throws(() => kept.read('journal', before.generation, 0n, 4), { kind: 'storage' });
      assert.throws(() => kept.cut('journal', now.generation, 5n), { kind: 'storage' });
    }
    assert.deepEqual(content(kept, 'journal'), bytes('more'));
  }));

test('parts that stop coming change nothing, and their error comes out as it is', () =>
  each((kept) => {
    const at = kept.replace('journal', parts(bytes('head')));
    const trap = new Error('trapped');
    const stopping = () => {
      const some = parts(bytes('part'));
      return () => {
        const part = some();
        if (part) return part;
        throw trap;
      };
    };
    assert.throws(() => kept.append('journal', at.generation, at.length, stopping()), (error) => error === trap);
    assert.deepEqual(kept.mark('journal'), at);
    assert.throws(() => kept.replace('journal', stopping()), (error) => error === trap);
    assert.deepEqual(kept.mark('journal'), at);
    assert.deepEqual(content(kept, 'journal'), bytes('head'));
    assert.deepEqual(kept.leftovers(), []);
  }));

test('what is set aside stays, each time under another name', async () => {
  const disk = new Disk();
  const kept = await opened(disk);
  const at = kept.replace('journal', parts(bytes('whole-torn')));
  const names = [1, 2].map(() => kept.setAside('journal', at.generation, 5n));
  names.push((await opened(disk)).setAside('journal', at.generation, 5n));
  assert.deepEqual(names, ['journal.torn.1', 'journal.torn.2', 'journal.torn.3']);
  assert.deepEqual(kept.mark('journal'), at);
  assert.deepEqual([kept.blobs(), kept.leftovers()], [[], []]);
});

test('more blobs than were announced are refused, and nothing has changed', () =>
  each(async (kept) => {
    const id = (number: number): string => number.toString(16).padStart(64, '0');
    for (let number = 0; number < 4; number += 1) kept.addBlob(id(number), parts(bytes(`${number}`)));
    const before = seen(kept);
    assert.throws(() => kept.addBlob(id(4), parts(bytes('4'))), { kind: 'storage', hint: /ready/ });
    assert.deepEqual(seen(kept), before);
    await Promise.all([kept.ready(7), kept.ready(2)]);
    for (let number = 4; number < 15; number += 1) kept.addBlob(id(number), parts(bytes(`${number}`)));
    assert.equal(kept.blobs().length, 15);
  }));

test('a blob that is open is never read as another one', () =>
  each((kept) => {
    kept.addBlob(ID, parts(bytes('first')));
    const blob = kept.blob(ID);
    assert.deepEqual(blob?.read(1n, 2), bytes('ir'));
    kept.addBlob(ID, parts(bytes('other')));
    assert.throws(() => blob?.read(3n, 2), { kind: 'storage' });
    assert.deepEqual(kept.blob(ID)?.read(3n, 9), bytes('er'));
    kept.removeBlob(ID);
    kept.addBlob(OTHER, parts(bytes('third')));
    assert.equal(kept.blob(ID), undefined);
  }));

test('a blob that was found whole is known to be until its file is touched', async () => {
  const disk = new Disk();
  const isKnownWhole = async (): Promise<boolean> => (await opened(disk)).blob(ID)?.isKnownWhole === true;
  const first = await opened(disk);
  first.addBlob(ID, parts(bytes('first')));
  assert.equal(first.blob(ID)?.noteWhole, undefined, 'what was written just now has no time yet');
  assert.equal(await isKnownWhole(), false);
  (await opened(disk)).blob(ID)?.noteWhole?.();
  assert.equal(await isKnownWhole(), true);
  const file = disk.files().slots.find((slot) => slot.size() > 0);
  file?.write(bytes('x'), 96);
  assert.equal(await isKnownWhole(), false, 'somebody has touched it');
  (await opened(disk)).blob(ID)?.noteWhole?.();
  assert.equal(await isKnownWhole(), true);
  const last = await opened(disk);
  last.removeBlob(ID);
  last.addBlob(ID, parts(bytes('first')));
  assert.equal(await isKnownWhole(), false);
});

test('records that no longer count take no room for long', () =>
  each((kept) => {
    for (let round = 0; round < 100; round += 1) kept.put('pending', `${round % 3}`, new Uint8Array(10_000).fill(round));
    assert.ok(kept.size() < 110_000, `${kept.size()}`);
    assert.deepEqual(kept.record('pending', '0'), new Uint8Array(10_000).fill(99));
  }));

test('what a file has that interrupted writing cannot explain is damage, and is kept', async () => {
  const disk = new Disk();
  const kept = await opened(disk);
  for (let round = 0; round < 2; round += 1) kept.replace('journal', parts(bytes('history')));
  disk.file('journal.b').write(bytes('x'), 9);
  assert.throws(() => new Keeping(disk.files()), { kind: 'damaged', message: /journal/ });
  assert.equal(disk.file('journal.b').size(), 32 + 7);
});
