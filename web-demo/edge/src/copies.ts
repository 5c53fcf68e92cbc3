// Copies a sandbox from the database of one object to that of another, row by row.

import type { Database } from './database.js';
import type { Copied } from './shim.js';

/** Bytes sent at a time. No row has more. */
const MOST = 1 << 20;

// Row types. An interface would not satisfy the constraint.
type Value = { id: number; kind: string; key: string; at: number; bytes: ArrayBuffer };
type LogPart = { id: number; log: string; at: number; bytes: ArrayBuffer };
type Log = { name: string; generation: number; length: number };

/** The last row of each table that was sent. */
export interface Place {
  value: number;
  part: number;
}

/** One batch. Logs come last: without a journal there is no sandbox. */
export interface Part {
  values: Value[];
  parts: LogPart[];
  logs: Log[];
  /** Where the next batch starts. Missing after the last one. */
  next: Place | undefined;
}

export const BEGINNING: Place = { value: 0, part: 0 };

export class Copies {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows of a copy after that place, up to this many bytes. Nothing may change meanwhile. */
  read(at: Place, copied: Copied, most = MOST): Part {
    const values = this.#values(at.value, copied, most);
    const last = values.at(-1);
    if (last) return { values, parts: [], logs: [], next: { ...at, value: last.id } };
    const parts = gather(at.part, most, (after) => {
      const next = 'SELECT rowid AS id, log, at, bytes FROM part WHERE rowid > ? ORDER BY rowid LIMIT 1';
      return this.#database.rows<LogPart>(next, after)[0];
    });
    const end = parts.at(-1);
    if (end) return { values, parts, logs: [], next: { ...at, part: end.id } };
    const logs = this.#database.rows<Log>('SELECT name, generation, length FROM log');
    return { values, parts, logs, next: undefined };
  }

  #values(from: number, { kinds, texts }: Copied, most: number): Value[] {
    const next = `
      SELECT rowid AS id, kind, key, at, bytes FROM value
        WHERE rowid > ?1 AND (kind IN (SELECT json_each.value FROM json_each(?2))
          OR kind = 'text' AND key IN (SELECT json_each.value FROM json_each(?3)))
        ORDER BY rowid LIMIT 1`;
    const [all, named] = [JSON.stringify(['blob', ...kinds]), JSON.stringify(texts)];
    return gather(from, most, (after) => this.#database.rows<Value>(next, after, all, named)[0]);
  }

  /** Writes rows that another object has read. */
  write({ values, parts, logs }: Part): void {
    this.#database.change(() => {
      for (const { kind, key, at, bytes } of values) {
        this.#database.rows('INSERT INTO value VALUES (?, ?, ?, ?)', kind, key, at, bytes);
      }
      for (const { log, at, bytes } of parts) {
        this.#database.rows('INSERT INTO part VALUES (?, ?, ?)', log, at, bytes);
      }
      for (const { name, generation, length } of logs) {
        this.#database.rows('INSERT INTO log VALUES (?, ?, ?)', name, generation, length);
      }
    });
  }
}

/** The rows after that one, up to this many bytes, but at least one row. */
function gather<T extends Value | LogPart>(after: number, most: number, next: (after: number) => T | undefined): T[] {
  const rows: T[] = [];
  let size = 0;
  for (let row = next(after); row; row = next(row.id)) {
    size += row.bytes.byteLength;
    if (rows.length > 0 && size > most) break;
    rows.push(row);
  }
  return rows;
}
