// A Worker that operates on storages in OPFS at the page's request.

import { told } from '../../src/error.js';
import type { Told } from '../../src/error.js';
import { copyOpfs, listOpfs, openOpfs, removeOpfs } from '../../src/storage/index.js';
import type { Kept } from '../../src/storage/index.js';
import { once } from '../../src/storage/file.js';

const ID = 'ab'.repeat(32);
const MIB = 1 << 20;

const open = new Map<string, Kept>();

function at(name: string): Kept {
  const kept = open.get(name);
  if (!kept) throw new Error(`${name} is not open`);
  return kept;
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);
const bytes = (of: string): Uint8Array => new TextEncoder().encode(of);

function append(kept: Kept, part: Uint8Array): void {
  const { generation, length } = kept.create('journal');
  kept.append('journal', generation, length, once(part));
}

/** The visible state of a small storage, and the length and sum of its journal. */
function seen(kept: Kept): object {
  const { generation, length } = kept.create('journal');
  const journal = kept.read('journal', generation, 0n, Number(length));
  const blob = kept.blob(ID);
  return {
    length: journal.length,
    sum: journal.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 0),
    records: kept.records('pending').map((key) => [key, text(kept.record('pending', key))]),
    blobs: kept.blobs().length,
    blob: text(blob?.read(0n, Number(blob.size))) ?? null,
    settings: kept.text('sandbox.toml') ?? null,
  };
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}

function timed(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function random(size: number): Uint8Array {
  const all = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(all.subarray(at, at + 65_536));
  return all;
}

const OPERATIONS = {
  open: async (name: string) => {
    open.set(name, await openOpfs(name));
    return null;
  },
  close: async (name: string) => {
    at(name).close();
    open.delete(name);
    return null;
  },
  write: async (name: string) => {
    const kept = at(name);
    append(kept, bytes('one, '));
    append(kept, bytes('two'));
    kept.replace('journal', once(bytes('both of it')));
    append(kept, random(100_000));
    kept.put('pending', 'a.json', bytes('first'));
    kept.put('pending', 'a.json', bytes('second'));
    kept.addBlob(ID, once(bytes('an attachment')));
    kept.putText('sandbox.toml', 'id = "ünï"');
    await kept.ready(12);
    for (let number = 0; number < 12; number += 1) kept.addBlob(`${number}`.padStart(64, '0'), once(random(1_000)));
    return seen(kept);
  },
  seen: async (name: string) => seen(at(name)),
  /** Whether the attachment was known to be whole. Notes that it is. */
  whole: async (name: string) => {
    const blob = at(name).blob(ID);
    blob?.noteWhole?.();
    return blob?.isKnownWhole ?? null;
  },
  list: () => listOpfs(),
  remove: async (name: string) => (await removeOpfs(name), null),
  copy: async (name: string) => (await copyOpfs(name, `${name}, copied`), null),
  /** Writes until the quota is used up, in every possible way, and returns the errors. */
  fill: async (name: string) => {
    const kept = at(name);
    const before = JSON.stringify(seen(kept));
    const { generation, length } = kept.create('journal');
    const ways: [string, () => void][] = [
      ['append', () => void kept.append('journal', generation, length, once(new Uint8Array(8 * MIB)))],
      ['replace', () => void kept.replace('journal', once(new Uint8Array(8 * MIB)))],
      ['addBlob', () => kept.addBlob('cd'.repeat(32), once(new Uint8Array(8 * MIB)))],
      ['put', () => kept.put('pending', 'b', new Uint8Array(8 * MIB))],
    ];
    return ways.map(([way, work]) => {
      let error: Told | undefined;
      try {
        work();
      } catch (thrown) {
        error = told(thrown);
      }
      return { way, error, isSame: JSON.stringify(seen(kept)) === before, leftovers: kept.leftovers() };
    });
  },
  /** Medians in milliseconds. */
  measure: async (name: string) => {
    const kept = at(name);
    const small = random(1_000);
    const large = random(100_000);
    const of = (part: Uint8Array) => median(Array.from({ length: 200 }, () => timed(() => append(kept, part))));
    const [append1K, append100K] = [of(small), of(large)];
    const put = median(Array.from({ length: 100 }, (_, key) => timed(() => kept.put('sent', `${key}`, small))));
    await kept.ready(100);
    const blob = (_: unknown, key: number) => timed(() => kept.addBlob(`${key}`.padStart(64, 'e'), once(large)));
    const addBlob = median(Array.from({ length: 100 }, blob));
    const part = random(MIB);
    const { length } = kept.create('journal');
    for (let rest = 40 * MIB - Number(length); rest > 0; rest -= MIB) append(kept, part);
    return { append1K, append100K, put, addBlob };
  },
  /** The time to open it, and to read the whole journal in parts of 256 KiB, in milliseconds. */
  reopen: async (name: string) => {
    const before = performance.now();
    const kept = await openOpfs(name);
    const opened = performance.now();
    const { generation } = kept.create('journal');
    let at = 0n;
    for (let read = -1; read !== 0; ) {
      read = kept.read('journal', generation, at, MIB / 4).length;
      at += BigInt(read);
    }
    const read = performance.now();
    open.set(name, kept);
    return { open: opened - before, read: read - opened, bytes: Number(at), blobs: kept.blobs().length };
  },
  /** Never answers, and reads no more messages. */
  hang: async (name: string): Promise<null> => {
    for (;;) append(at(name), new Uint8Array(1));
  },
};

export type Operation = keyof typeof OPERATIONS;

export type Answer = { value: unknown } | { error: Told };

onmessage = async ({ data }: MessageEvent<{ operation: Operation; name: string }>) => {
  let answer: Answer;
  try {
    answer = { value: await OPERATIONS[data.operation](data.name) };
  } catch (error) {
    answer = { error: told(error) };
  }
  postMessage(answer);
};
