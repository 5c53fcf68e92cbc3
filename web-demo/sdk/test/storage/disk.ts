// Files that can fail at any step, and whose state after a crash can be reconstructed.

import type { Files } from '../../src/storage/keeping.js';
import type { SyncFile } from '../../src/storage/file.js';
import type { Pair } from '../../src/storage/log.js';

/** Numbers from 0 to below `end`, the same for the same seed. */
export type Random = (end: number) => number;

export function random(seed: number): Random {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

type Change = { at: number; bytes: Uint8Array } | { size: number };

function changed(content: Uint8Array, change: Change): Uint8Array {
  const size = 'size' in change ? change.size : Math.max(content.length, change.at + change.bytes.length);
  const next = new Uint8Array(size);
  next.set(content.subarray(0, size));
  if ('bytes' in change) next.set(change.bytes, change.at);
  return next;
}

/** The unflushed data that survives a crash: none, all, or any of it with the rest torn. */
export type Survival = 'none' | 'all' | Random;

class DiskFile implements SyncFile {
  durable: Uint8Array = new Uint8Array(0);
  content: Uint8Array = new Uint8Array(0);
  pending: Change[] = [];

  /** By the disk's clock, at the time of opening. */
  touched = 0;
  #written = 0;

  constructor(
    readonly name: string,
    readonly disk: Disk,
  ) {}

  /** The same file, opened again. */
  opened(): this {
    this.touched = this.#written;
    return this;
  }

  read(into: Uint8Array, at: number): number {
    const part = this.content.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }

  #change(change: Change): void {
    this.#written = this.disk.steps;
    this.pending.push(change);
    this.content = changed(this.content, change);
  }

  write(from: Uint8Array, at: number): void {
    const bytes = from.slice();
    this.disk.step(
      () => this.#change({ at, bytes }),
      (random) => this.#change({ at, bytes: bytes.subarray(0, random(bytes.length + 1)) }),
    );
  }

  truncate(size: number): void {
    this.disk.step(
      () => this.#change({ size }),
      () => {},
    );
  }

  flush(): void {
    this.disk.step(
      () => {
        this.durable = this.content;
        this.pending = [];
      },
      () => {},
    );
  }

  size(): number {
    return this.content.length;
  }

  close(): void {}

  after(survival: Survival): Uint8Array {
    if (survival === 'none') return this.durable;
    if (survival === 'all') return this.content;
    let content = this.durable;
    for (const change of this.pending) {
      const how = survival(3);
      if (how === 1) content = changed(content, change);
      if (how === 2 && 'bytes' in change) {
        const bytes = change.bytes.subarray(0, survival(change.bytes.length + 1));
        content = changed(content, { at: change.at, bytes });
      }
    }
    return content;
  }
}

export class Disk {
  readonly #files = new Map<string, DiskFile>();
  readonly #random: Random;
  steps = 0;
  /** The range of failing steps, end excluded. */
  fails = { from: Infinity, to: Infinity };

  constructor(seed = 1) {
    this.#random = random(seed);
  }

  step(work: () => void, partly: (random: Random) => void): void {
    const number = this.steps;
    this.steps += 1;
    if (number < this.fails.from || number >= this.fails.to) return work();
    partly(this.#random);
    throw Object.assign(new Error(`step ${number} fails`), { kind: 'storage', hint: '' });
  }

  /** Makes all further steps succeed. */
  heal(): void {
    this.fails = { from: Infinity, to: Infinity };
  }

  file(name: string): DiskFile {
    const file = this.#files.get(name) ?? new DiskFile(name, this);
    this.#files.set(name, file);
    return file;
  }

  files(): Files {
    const pair = (name: string): Pair => [this.file(`${name}.a`), this.file(`${name}.b`)];
    const slots = [...this.#files.keys()].filter((name) => name.startsWith('slot.'));
    let next = slots.length;
    return {
      journal: pair('journal'),
      audit: pair('audit.log'),
      records: pair('records'),
      slots: slots.map((name) => this.file(name).opened()),
      more: () => Promise.resolve(this.file(`slot.${next++}`).opened()),
    };
  }

  /** The files after a crash. */
  crashed(survival: Survival): Disk {
    const disk = new Disk();
    for (const [name, file] of this.#files) {
      const again = disk.file(name);
      again.durable = file.after(survival);
      again.content = again.durable;
    }
    return disk;
  }
}
