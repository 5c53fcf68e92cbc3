import { GitgateError } from '../error.js';
import type { SyncFile } from './file.js';
import { Log } from './log.js';
import type { Pair } from './log.js';
import { Records, isKind } from './records.js';
import type { Kind } from './records.js';
import { Slots } from './slots.js';
import type { Blob, Kept, Mark, Next } from './types.js';

/** The bytes of a log to copy at a time when it is set aside. */
const PART = 1 << 20;

/** The files of one sandbox, all open. */
export interface Files {
  journal: Pair;
  audit: Pair;
  records: Pair;
  slots: SyncFile[];
  /** Opens one more empty slot. */
  more(): Promise<SyncFile>;
}

/** A sandbox stored in files. */
export class Keeping implements Kept {
  readonly #logs: Map<string, Log>;
  readonly #records: Records;
  readonly #slots: Slots;
  readonly #pairs: SyncFile[];
  readonly #closed: () => void;
  #isHeld = false;

  /** Stores a sandbox in `files`. `closed` is called once they are closed. */
  constructor({ journal, audit, records, slots, more }: Files, closed = () => {}) {
    this.#logs = new Map([
      ['journal', new Log('journal', journal)],
      ['audit.log', new Log('audit.log', audit)],
    ]);
    this.#records = new Records(records);
    this.#slots = new Slots(slots, more);
    this.#pairs = [...journal, ...audit, ...records];
    this.#closed = closed;
  }

  #log(name: string): Log {
    const log = this.#logs.get(name);
    if (log) return log;
    throw new GitgateError('usage', `there is no log '${name}'`, 'name journal or audit.log');
  }

  #kind(kind: string): Kind {
    if (isKind(kind)) return kind;
    throw new GitgateError('usage', `there are no records '${kind}'`, 'name pending, waiting or sent');
  }

  lock(_wait: boolean): () => void {
    // The lock's holder is below this function on the stack, so waiting would never end.
    if (this.#isHeld) throw new GitgateError('busy', 'the sandbox is in use', 'try again when that is done');
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
    };
  }

  get isLocked(): boolean {
    return this.#isHeld;
  }

  mark(log: string): Mark | undefined {
    return this.#log(log).mark();
  }

  read(log: string, generation: bigint, at: bigint, most: number): Uint8Array {
    return this.#log(log).read(generation, at, most);
  }

  create(log: string): Mark {
    return this.#log(log).create();
  }

  append(log: string, generation: bigint, at: bigint, next: Next): Mark {
    return this.#log(log).append(generation, at, next);
  }

  cut(log: string, generation: bigint, at: bigint): void {
    this.#log(log).cut(generation, at);
  }

  replace(log: string, next: Next): Mark {
    return this.#log(log).replace(next);
  }

  setAside(log: string, generation: bigint, from: bigint): string {
    const names = new Set(this.#slots.names('aside'));
    let number = 1;
    while (names.has(`${log}.torn.${number}`)) number += 1;
    const name = `${log}.torn.${number}`;
    let at = from;
    this.#slots.add('aside', name, () => {
      const part = this.#log(log).read(generation, at, PART);
      at += BigInt(part.length);
      return part.length > 0 ? part : undefined;
    });
    return name;
  }

  records(kind: string): string[] {
    return this.#records.keys(this.#kind(kind));
  }

  record(kind: string, key: string): Uint8Array | undefined {
    return this.#records.get(this.#kind(kind), key);
  }

  put(kind: string, key: string, content: Uint8Array): void {
    this.#records.put(this.#kind(kind), key, content);
  }

  remove(kind: string, key: string): void {
    this.#records.remove(this.#kind(kind), key);
  }

  blobs(): string[] {
    return this.#slots.names('blob');
  }

  /**
   * An open blob. A note records the modification time at which it was verified whole, so touching the file
   * invalidates the note.
   */
  blob(id: string): Blob | undefined {
    const found = this.#slots.get('blob', id);
    if (found?.touched === undefined) return found?.blob;
    const note = new TextEncoder().encode(`${found.touched}`);
    const noted = this.#records.get('whole', id);
    return {
      ...found.blob,
      isKnownWhole: noted?.length === note.length && note.every((byte, at) => byte === noted[at]),
      noteWhole: () => this.#records.put('whole', id, note),
    };
  }

  addBlob(id: string, next: Next): void {
    this.#slots.add('blob', id, next);
  }

  removeBlob(id: string): void {
    this.#slots.remove('blob', id);
    this.#records.remove('whole', id);
  }

  text(name: string): string | undefined {
    const bytes = this.#records.get('text', name);
    return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  putText(name: string, text: string): void {
    this.#records.put('text', name, new TextEncoder().encode(text));
  }

  leftovers(): string[] {
    return [...this.#logs.values(), this.#records, this.#slots].flatMap((part) => part.leftovers());
  }

  removeLeftovers(): void {
    for (const part of [...this.#logs.values(), this.#records, this.#slots]) part.removeLeftovers();
  }

  ready(blobs = 0): Promise<void> {
    return this.#slots.ready(blobs);
  }

  size(): number {
    return [...this.#pairs, ...this.#slots.files()].reduce((sum, file) => sum + file.size(), 0);
  }

  close(): void {
    for (const file of this.#pairs) file.close();
    this.#slots.close();
    this.#closed();
  }
}
