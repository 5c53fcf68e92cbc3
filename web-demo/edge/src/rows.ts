// A sandbox in the rows of its object's database.

import { GitgateError } from 'gitgate/edge';
import type { Blob, Mark, Next, Storage } from 'gitgate/edge';

import { slice, type Piece } from './bytes.js';
import { Copies } from './copies.js';
import { Database } from './database.js';
import { VALUES, Values } from './values.js';

/**
 * Bytes of the longest row. The platform accepts 2 MB. The host reads this much at a time, so each row is
 * read once.
 */
const ROW = 1 << 18;

const LOGS = new Set(['journal', 'audit.log']);
const KINDS = new Set(['pending', 'waiting', 'sent', 'comments', 'seen']);

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS log (
    name TEXT PRIMARY KEY, generation INTEGER NOT NULL, length INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS part (
    log TEXT NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (log, at)
  ) STRICT;
`;

interface Known {
  generation: bigint;
  length: number;
}

/**
 * Stores a sandbox in SQLite. Each change is a transaction. It is durable before anything leaves the
 * object: the platform holds back answers and requests until then.
 */
export class Rows implements Storage {
  readonly #database: Database;
  readonly #values: Values;
  readonly #row: number;
  #isHeld = false;

  /** No row has more than `row` bytes. */
  constructor(storage: DurableObjectStorage, row = ROW) {
    this.#database = new Database(storage, SCHEMA + VALUES);
    this.#row = row;
    this.#values = new Values(this.#database, row);
  }

  /** Copies all of this to another object, and from one. */
  get copies(): Copies {
    return new Copies(this.#database);
  }

  /** The bytes in use. */
  size(): number {
    return this.#database.size();
  }

  lock(_wait: boolean): () => void {
    // The lock's holder is below this function on the stack, so waiting would never end.
    if (this.#isHeld) throw new GitgateError('busy', 'the sandbox is in use', 'try again when that is done');
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
    };
  }

  #find(log: string): Known | undefined {
    if (!LOGS.has(log)) {
      throw new GitgateError('usage', `there is no log '${log}'`, 'name journal or audit.log');
    }
    const [found] = this.#database.rows<{ generation: number; length: number }>(
      'SELECT generation, length FROM log WHERE name = ?',
      log,
    );
    return found && { generation: BigInt(found.generation), length: found.length };
  }

  /** The place in the log, if the log still has everything before it. */
  #at(log: string, generation: bigint, at: bigint): number {
    const found = this.#find(log);
    if (found?.generation !== generation || at > found.length) {
      throw new GitgateError('storage', `${log} is no longer what it was`, 'open the sandbox again');
    }
    return Number(at);
  }

  #put(log: string, generation: bigint, length: number): Mark {
    this.#database.rows('INSERT OR REPLACE INTO log VALUES (?, ?, ?)', log, Number(generation), length);
    return { generation, length: BigInt(length) };
  }

  mark(log: string): Mark | undefined {
    const found = this.#find(log);
    return found && { generation: found.generation, length: BigInt(found.length) };
  }

  read(log: string, generation: bigint, at: bigint, most: number): Uint8Array {
    const from = this.#at(log, generation, at);
    const pieces = this.#database.rows<Piece>(
      `SELECT at, bytes FROM part WHERE log = ?1 AND at < ?3
        AND at >= (SELECT coalesce(max(at), 0) FROM part WHERE log = ?1 AND at <= ?2) ORDER BY at`,
      log,
      from,
      from + most,
    );
    return slice(pieces, from, most);
  }

  create(log: string): Mark {
    return this.mark(log) ?? this.#database.change(() => this.#put(log, 1n, 0));
  }

  append(log: string, generation: bigint, at: bigint, next: Next): Mark {
    return this.#database.change(() => {
      const from = this.#at(log, generation, at);
      this.#shorten(log, from);
      return this.#put(log, generation, this.#write(log, from, next));
    });
  }

  cut(log: string, generation: bigint, at: bigint): void {
    this.#database.change(() => {
      const end = this.#at(log, generation, at);
      this.#shorten(log, end);
      this.#put(log, generation, end);
    });
  }

  replace(log: string, next: Next): Mark {
    return this.#database.change(() => {
      const generation = (this.#find(log)?.generation ?? 0n) + 1n;
      this.#shorten(log, 0);
      return this.#put(log, generation, this.#write(log, 0, next));
    });
  }

  /** Deletes everything after that place. */
  #shorten(log: string, end: number): void {
    this.#database.rows('DELETE FROM part WHERE log = ? AND at >= ?', log, end);
    // The last row may extend beyond it.
    this.#database.rows(
      `UPDATE part SET bytes = substr(bytes, 1, ?2 - at)
        WHERE log = ?1 AND at = (SELECT max(at) FROM part WHERE log = ?1) AND at + length(bytes) > ?2`,
      log,
      end,
    );
  }

  /** Writes the incoming bytes, and returns their end. */
  #write(log: string, from: number, next: Next): number {
    let at = from;
    for (let part = next(); part; part = next()) {
      for (let done = 0; done < part.length; done += this.#row) {
        const row = part.subarray(done, done + this.#row);
        this.#database.rows('INSERT INTO part VALUES (?, ?, ?)', log, at, row.slice().buffer);
        at += row.length;
      }
    }
    return at;
  }

  setAside(log: string, generation: bigint, from: bigint): string {
    return this.#database.change(() => {
      const names = new Set(this.#values.keys('aside'));
      let number = 1;
      while (names.has(`${log}.torn.${number}`)) number += 1;
      const name = `${log}.torn.${number}`;
      let at = from;
      this.#values.put('aside', name, () => {
        const part = this.read(log, generation, at, this.#row);
        at += BigInt(part.length);
        return part.length > 0 ? part : undefined;
      });
      return name;
    });
  }

  #kind(kind: string): string {
    if (KINDS.has(kind)) return kind;
    throw new GitgateError('usage', `there are no records '${kind}'`, 'name pending, waiting or sent');
  }

  records(kind: string): string[] {
    return this.#values.keys(this.#kind(kind));
  }

  record(kind: string, key: string): Uint8Array | undefined {
    return this.#values.get(this.#kind(kind), key);
  }

  put(kind: string, key: string, content: Uint8Array): void {
    this.#database.change(() => this.#values.put(this.#kind(kind), key, once(content)));
  }

  remove(kind: string, key: string): void {
    this.#database.change(() => this.#values.remove(this.#kind(kind), key));
  }

  blobs(): string[] {
    return this.#values.keys('blob');
  }

  blob(id: string): Blob | undefined {
    return this.#values.blob(id);
  }

  addBlob(id: string, next: Next): void {
    this.#database.change(() => this.#values.put('blob', id, next));
  }

  removeBlob(id: string): void {
    this.#database.change(() => this.#values.remove('blob', id));
  }

  text(name: string): string | undefined {
    const bytes = this.#values.get('text', name);
    return bytes && new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  }

  putText(name: string, text: string): void {
    this.#database.change(() => this.#values.put('text', name, once(new TextEncoder().encode(text))));
  }

  /** A transaction leaves nothing behind. */
  leftovers(): string[] {
    return [];
  }

  removeLeftovers(): void {}
}

function once(content: Uint8Array): Next {
  let rest: Uint8Array | undefined = content;
  return () => {
    const part = rest;
    rest = undefined;
    return part;
  };
}
