import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Kept } from '../src/storage/index.js';
import { Keeping } from '../src/storage/keeping.js';
import { Disk, random } from './storage/disk.js';
import type { Survival } from './storage/disk.js';
import { Model, bytes, make, note, parts, seen } from './storage/model.js';
import type { Change, Seen } from './storage/model.js';

const ID = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const LONG = new Uint8Array(40_000).fill(7);

const SCRIPT: Change[] = [
  { do: 'putText', name: 'sandbox.toml', text: 'id = 1' },
  { do: 'create', log: 'journal' },
  { do: 'append', log: 'journal', at: 0, parts: [bytes('one '), bytes(''), bytes('and more ')] },
  { do: 'create', log: 'audit.log' },
  { do: 'append', log: 'audit.log', at: 0, parts: [bytes('asked\n')] },
  { do: 'put', kind: 'waiting', key: 'a.json', content: bytes('a question') },
  { do: 'addBlob', id: ID, content: bytes('damaged') },
  { do: 'addBlob', id: ID, content: bytes('an attachment') },
  { do: 'append', log: 'journal', at: 13, parts: [bytes('two, '), bytes('torn')] },
  { do: 'append', log: 'journal', at: 18, parts: [bytes('3')] },
  { do: 'remove', kind: 'waiting', key: 'a.json' },
  { do: 'put', kind: 'pending', key: 'b.json', content: LONG },
  { do: 'replace', log: 'journal', parts: [bytes('all '), bytes('of it, shorter')] },
  // Here the records are rewritten.
  { do: 'put', kind: 'pending', key: 'b.json', content: LONG.map((byte) => byte + 1) },
  { do: 'addBlob', id: OTHER, content: new Uint8Array() },
  { do: 'removeBlob', id: ID },
  { do: 'append', log: 'journal', at: 18, parts: [bytes('; four')] },
  { do: 'cut', log: 'audit.log', at: 2 },
  { do: 'replace', log: 'journal', parts: [bytes('once more')] },
  { do: 'put', kind: 'sent', key: 'c', content: bytes('') },
  { do: 'append', log: 'journal', at: 9, parts: [LONG] },
];

const SURVIVALS: Survival[] = ['none', 'all', ...[1, 2, 3].map(random)];

async function opened(disk: Disk): Promise<Kept> {
  const kept = new Keeping(disk.files());
  await kept.ready();
  return kept;
}

/** The visible state before each step, and after the last. */
const EXPECTED: Seen[] = [];
{
  const model = new Model();
  for (const change of SCRIPT) {
    EXPECTED.push(model.seen());
    note(model, change);
  }
  EXPECTED.push(model.seen());
}

const at = (step: number): Seen => EXPECTED[step] ?? assert.fail(`there is no step ${step}`);

function isSame(found: Seen, expected: Seen): boolean {
  try {
    assert.deepEqual(found, expected);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) return false;
    throw error;
  }
}

/**
 * Asserts that the step happened completely or not at all. Only a torn end may follow the append's place.
 */
function ensureWhole(found: Seen, step: number, mayBeTorn: boolean, when: string): void {
  if (isSame(found, at(step)) || isSame(found, at(step + 1))) return;
  const change = SCRIPT[step];
  if (change?.do === 'append') {
    const log = found.logs[change.log] ?? '';
    const kept = at(step).logs[change.log]?.slice(0, 2 * change.at) ?? '';
    assert.ok(log.startsWith(kept), `${when}: nothing before the place is lost`);
    assert.ok(mayBeTorn || log === kept, `${when}: nothing of it is there`);
    const logs = { ...found.logs, [change.log]: at(step).logs[change.log] };
    assert.deepEqual({ ...found, logs }, at(step), when);
    return;
  }
  assert.deepEqual(found, at(step), when);
}

/** Runs the steps from `first` on. Returns the one that failed, if any. */
async function play(kept: Kept, first: number): Promise<number | undefined> {
  for (const [step, change] of SCRIPT.entries()) {
    if (step < first) continue;
    try {
      make(kept, change);
    } catch {
      return step;
    }
    await kept.ready();
  }
  return undefined;
}

/** Runs the remaining steps, including the failed one, and checks the result in reopened files. */
async function finish(kept: Kept, disk: Disk, step: number, when: string): Promise<void> {
  kept.removeLeftovers();
  await kept.ready();
  assert.equal(await play(kept, step), undefined, `${when}: nothing is in the way`);
  assert.deepEqual(seen(kept), at(SCRIPT.length), when);
  assert.deepEqual(seen(await opened(disk.crashed('none'))), at(SCRIPT.length), `${when}, opened again`);
  kept.removeLeftovers();
  assert.deepEqual(kept.leftovers(), [], when);
}

/** A disk at the start of the script, whose own steps in this range fail. */
async function begun(from: number, many: number, seed: number): Promise<{ disk: Disk; kept: Kept }> {
  const disk = new Disk(seed);
  const kept = await opened(disk);
  disk.fails = { from: disk.steps + from, to: disk.steps + from + many };
  return { disk, kept };
}

async function stepsOfAll(): Promise<number> {
  const { disk, kept } = await begun(Infinity, 0, 1);
  const before = disk.steps;
  assert.equal(await play(kept, 0), undefined);
  return disk.steps - before;
}

test('the script writes the records anew', async () => {
  const { disk, kept } = await begun(Infinity, 0, 1);
  await play(kept, 0);
  assert.ok(disk.file('records.a').size() === 0, 'the second file counts');
});

test('after an error at any step each change has happened or has not, and what returned is there', async () => {
  const steps = await stepsOfAll();
  assert.ok(steps > 70, `${steps} steps`);
  for (const many of [1, 2, 3, 5]) {
    for (let from = 0; from < steps; from += 1) {
      const { disk, kept } = await begun(from, many, from);
      let failed: number | undefined;
      let isKnown = true;
      for (const [step, change] of SCRIPT.entries()) {
        const before = 'log' in change ? kept.mark(change.log) : undefined;
        try {
          make(kept, change);
        } catch (error) {
          assert.ok(error instanceof Error && 'kind' in error, String(error));
          failed = step;
          disk.heal();
          const when = `step ${step} (${change.do}), fault ${from} of ${many}`;
          const after = 'log' in change ? kept.mark(change.log) : undefined;
          isKnown = before?.generation === after?.generation;
          ensureWhole(seen(kept), step, !isKnown, `${when}, alive`);
          if (change.do === 'append' && isKnown) {
            assert.ok(!isSame(seen(kept), at(step + 1)), `${when}: nothing of it is there`);
          }
          break;
        }
        await kept.ready();
      }
      if (failed === undefined) {
        // Freeing space may fail, and nothing depends on it.
        disk.heal();
        await finish(kept, disk, SCRIPT.length, `fault ${from} of ${many} was nobody's`);
        continue;
      }
      const when = `step ${failed} (${SCRIPT[failed]?.do}), fault ${from} of ${many}`;
      for (const survival of SURVIVALS) {
        const again = disk.crashed(survival);
        const reopened = await opened(again);
        // A reverted append stays away.
        ensureWhole(seen(reopened), failed, !isKnown, `${when}, crashed`);
        await finish(reopened, again, failed, `${when}, crashed and finished`);
      }
      await finish(kept, disk, failed, `${when}, finished`);
    }
  }
});

test('after a crash at any step each change has happened or has not, and what returned is there', async () => {
  const steps = await stepsOfAll();
  for (let from = 0; from < steps; from += 1) {
    const { disk, kept } = await begun(from, Infinity, from);
    const failed = (await play(kept, 0)) ?? SCRIPT.length;
    for (const survival of SURVIVALS) {
      const when = `crash at ${from} in step ${failed} (${SCRIPT[failed]?.do})`;
      const again = disk.crashed(survival);
      const reopened = await opened(again);
      if (failed === SCRIPT.length) assert.deepEqual(seen(reopened), at(failed), when);
      else ensureWhole(seen(reopened), failed, true, when);
      await finish(reopened, again, failed, when);
    }
  }
});

test('a crash at any step of opening, or of the first change after it, loses nothing', async () => {
  const full = new Disk();
  await play(await opened(full), 0);
  // An interrupted rewrite and an interrupted entry.
  full.file('records.a').write(bytes('torn'), 0);
  full.file('records.b').write(bytes('torn'), full.file('records.b').size());
  for (const [disk, expected] of [[new Disk(), at(0)], [full, at(SCRIPT.length)]] as const) {
    for (let from = 0; from < 8; from += 1) {
      const failing = disk.crashed('all');
      failing.fails = { from, to: Infinity };
      const first = opened(failing).then((kept) => kept.put('waiting', 'first', bytes('one')));
      await first.catch((error: unknown) => assert.ok(error instanceof Error && 'kind' in error));
      for (const survival of SURVIVALS) {
        const found = seen(await opened(failing.crashed(survival)));
        const { 'waiting/first': one, ...records } = found.records;
        assert.deepEqual({ ...found, records }, expected);
        assert.ok(one === undefined || one === Buffer.from('one').toString('hex'));
      }
    }
  }
});

test('an append that cannot be taken back gives the log another generation', async () => {
  const disk = new Disk();
  const kept = await opened(disk);
  const mark = kept.create('journal');
  // The flush, the truncation that reverts it, and the flush of that.
  disk.fails = { from: disk.steps + 1, to: disk.steps + 4 };
  const append = (): unknown => make(kept, { do: 'append', log: 'journal', at: 0, parts: [bytes('lost?')] });
  assert.throws(append, { kind: 'storage' });
  disk.heal();
  assert.notEqual(kept.mark('journal')?.generation, mark.generation);
  assert.throws(() => kept.read('journal', mark.generation, 0n, 1), { kind: 'storage' });
  append();
  assert.equal(seen(await opened(disk.crashed('none'))).logs['journal'], Buffer.from('lost?').toString('hex'));
});

test('a replacement that may yet count is out of the way before anything else is written', async () => {
  const after: Change[] = [
    { do: 'append', log: 'journal', at: 3, parts: [bytes(' and new')] },
    { do: 'cut', log: 'journal', at: 1 },
    { do: 'replace', log: 'journal', parts: [bytes('new')] },
  ];
  for (const change of after) {
    const disk = new Disk();
    const kept = await opened(disk);
    const model = new Model();
    const first: Change = { do: 'replace', log: 'journal', parts: [bytes('old')] };
    make(kept, first);
    for (const done of [first, change]) note(model, done);
    // The flush of the header, and the truncation of the file it would make current.
    disk.fails = { from: disk.steps + 4, to: disk.steps + 6 };
    assert.throws(() => make(kept, { do: 'replace', log: 'journal', parts: [bytes('failed, and long')] }));
    assert.deepEqual([kept.leftovers(), seen(kept).logs['journal']], [['journal.b'], '6f6c64']);
    disk.fails = { from: disk.steps, to: disk.steps + 1 };
    assert.throws(() => make(kept, change), { kind: 'storage' });
    disk.heal();
    make(kept, change);
    assert.deepEqual(seen(await opened(disk.crashed('all'))), model.seen(), change.do);
  }
});

test('what a replacement could not give back is not in the next one', async () => {
  const disk = new Disk();
  const kept = await opened(disk);
  make(kept, { do: 'replace', log: 'journal', parts: [bytes('a long journal')] });
  disk.fails = { from: disk.steps + 5, to: disk.steps + 6 };
  make(kept, { do: 'replace', log: 'journal', parts: [bytes('second')] });
  assert.deepEqual(kept.leftovers(), ['journal.a']);
  make(kept, { do: 'replace', log: 'journal', parts: [bytes('third')] });
  assert.equal(seen(kept).logs['journal'], Buffer.from('third').toString('hex'));
  assert.deepEqual(kept.leftovers(), []);
});

test('a file that a blob could not be written to is used for the next one', async () => {
  const disk = new Disk();
  const kept = await opened(disk);
  for (let round = 0; round < 20; round += 1) {
    disk.fails = { from: disk.steps + (round % 4), to: disk.steps + (round % 4) + 1 };
    assert.throws(() => kept.addBlob(ID, parts(bytes('content'))), { kind: 'storage' });
    assert.deepEqual([kept.blobs(), kept.leftovers()], [[], []]);
  }
});
