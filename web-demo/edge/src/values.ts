// Values by kind and key, each in as many rows as it needs.

import { GitgateError } from 'gitgate/edge';
import type { Blob, Next } from 'gitgate/edge';

import { joined, slice, type Piece } from './bytes.js';
import type { Database } from './database.js';

export const VALUES = `
  CREATE TABLE IF NOT EXISTS value (
    kind TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL,
    UNIQUE (kind, key, at)
  ) STRICT;
`;

const BLOB = 'blob';
/** Notes of blobs that were verified whole. */
const WHOLE = 'whole';

export class Values {
  readonly #database: Database;
  readonly #row: number;
  /** Counts the changes of each blob that is or was open. */
  readonly #changes = new Map<string, number>();

  /** No row has more than `row` bytes. */
  constructor(database: Database, row: number) {
    this.#database = database;
    this.#row = row;
  }

  /** Sorted. */
  keys(kind: string): string[] {
    const rows = this.#database.rows<{ key: string }>('SELECT key FROM value WHERE kind = ? AND at = 0', kind);
    return rows.map(({ key }) => key).sort();
  }

  get(kind: string, key: string): Uint8Array | undefined {
    const parts = this.#database.rows<{ bytes: ArrayBuffer }>(
      'SELECT bytes FROM value WHERE kind = ? AND key = ? ORDER BY at',
      kind,
      key,
    );
    return parts.length === 0 ? undefined : joined(parts.map(({ bytes }) => new Uint8Array(bytes)));
  }

  /** Replaces the value by the incoming bytes. */
  put(kind: string, key: string, next: Next): void {
    this.remove(kind, key);
    let at = 0;
    const add = (bytes: Uint8Array): void => {
      this.#database.rows('INSERT INTO value VALUES (?, ?, ?, ?)', kind, key, at, bytes.slice().buffer);
      at += bytes.length;
    };
    for (let part = next(); part; part = next()) {
      for (let done = 0; done < part.length; done += this.#row) add(part.subarray(done, done + this.#row));
    }
    if (at === 0) add(new Uint8Array());
  }

  remove(kind: string, key: string): void {
    this.#database.rows('DELETE FROM value WHERE kind = ? AND key = ?', kind, key);
    if (kind !== BLOB) return;
    this.#changes.set(key, this.#changed(key) + 1);
    this.remove(WHOLE, key);
  }

  #changed(id: string): number {
    return this.#changes.get(id) ?? 0;
  }

  #size(kind: string, key: string): number | undefined {
    const sum = 'SELECT sum(length(bytes)) AS size FROM value WHERE kind = ? AND key = ?';
    return this.#database.rows<{ size: number | null }>(sum, kind, key)[0]?.size ?? undefined;
  }

  #read(kind: string, key: string, from: number, most: number): Uint8Array {
    // Reads only the row that contains `from`, and the rows after it.
    const pieces = this.#database.rows<Piece>(
      `SELECT at, bytes FROM value WHERE kind = ?1 AND key = ?2 AND at < ?4 AND at >=
        (SELECT coalesce(max(at), 0) FROM value WHERE kind = ?1 AND key = ?2 AND at <= ?3) ORDER BY at`,
      kind,
      key,
      from,
      from + most,
    );
    return slice(pieces, from, most);
  }

  /**
   * An open blob. Reading fails once it was replaced or removed. Only this object writes its database, so a
   * blob verified whole stays whole.
   */
  blob(id: string): Blob | undefined {
    const size = this.#size(BLOB, id);
    if (size === undefined) return undefined;
    const changes = this.#changed(id);
    const read = (at: bigint, most: number): Uint8Array => {
      if (this.#changed(id) !== changes) {
        throw new GitgateError('storage', `the attachment ${id} was replaced or removed`, 'open it again');
      }
      return this.#read(BLOB, id, Number(at), most);
    };
    const noteWhole = (): void => {
      if (this.#changed(id) === changes) this.#database.change(() => this.put(WHOLE, id, () => undefined));
    };
    return { size: BigInt(size), read, isKnownWhole: this.#size(WHOLE, id) !== undefined, noteWhole };
  }
}
