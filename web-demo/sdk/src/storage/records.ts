// Small records in one log. Each change is an entry, and the last entry of a key counts. All records are in
// memory.

import { checksum } from './checksum.js';
import { once } from './file.js';
import { Log } from './log.js';
import type { Pair } from './log.js';
import type { Mark } from './types.js';

/** The kinds of records. Files contain their indices, so only append new ones. */
const KINDS = ['pending', 'waiting', 'sent', 'text', 'whole', 'comments', 'seen'] as const;
export type Kind = (typeof KINDS)[number];

/** The header of each entry: its length, and its checksum. */
const HEAD = 8;
/** An entry starts with its kind, a removal flag, and the length of the key. */
const FIXED = 4;
/** A log below this size is not worth rewriting. */
const SMALL = 64 * 1024;

interface Kept {
  kind: Kind;
  key: string;
  content: Uint8Array;
  /** Bytes of its entry. */
  size: number;
}

interface Entry {
  kind: Kind;
  key: string;
  /** Missing for a removal. */
  content: Uint8Array | undefined;
}

export function isKind(kind: string): kind is Kind {
  return KINDS.some((known) => known === kind);
}

function encode({ kind, key, content }: Entry): Uint8Array {
  const name = new TextEncoder().encode(key);
  const bytes = new Uint8Array(HEAD + FIXED + name.length + (content?.length ?? 0));
  const view = new DataView(bytes.buffer);
  view.setUint8(HEAD, KINDS.indexOf(kind));
  view.setUint8(HEAD + 1, content ? 0 : 1);
  view.setUint16(HEAD + 2, name.length);
  bytes.set(name, HEAD + FIXED);
  if (content) bytes.set(content, HEAD + FIXED + name.length);
  view.setUint32(0, bytes.length - HEAD);
  view.setUint32(4, checksum(bytes.subarray(HEAD)));
  return bytes;
}

/** The entry at that place, and its end; `undefined` if it is incomplete. */
function decode(bytes: Uint8Array, at: number): (Entry & { end: number }) | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (at + HEAD + FIXED > bytes.length) return undefined;
  const end = at + HEAD + view.getUint32(at);
  const from = at + HEAD;
  if (end < from + FIXED || end > bytes.length) return undefined;
  if (checksum(bytes.subarray(from, end)) !== view.getUint32(at + 4)) return undefined;
  const kind = KINDS[view.getUint8(from)];
  const content = from + FIXED + view.getUint16(from + 2);
  if (!kind || content > end) return undefined;
  const key = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from + FIXED, content));
  return { kind, key, content: view.getUint8(from + 1) === 0 ? bytes.slice(content, end) : undefined, end };
}

export class Records {
  readonly #log: Log;
  readonly #records = new Map<string, Kept>();
  /** The total size of the entries that count. */
  #live = 0;
  /** The place of the next entry; `undefined` if the log's content is uncertain. */
  #end: Mark | undefined;

  constructor(files: Pair) {
    this.#log = new Log('records', files);
    this.#end = this.#load();
  }

  #known(): Mark {
    this.#end ??= this.#load();
    return this.#end;
  }

  /** Reads all complete entries. */
  #load(): Mark {
    const mark = this.#log.create();
    const bytes = this.#log.read(mark.generation, 0n, Number(mark.length));
    this.#records.clear();
    this.#live = 0;
    let end = 0;
    for (let entry = decode(bytes, end); entry; entry = decode(bytes, end)) {
      this.#apply(entry, entry.end - end);
      end = entry.end;
    }
    return { ...mark, length: BigInt(end) };
  }

  #apply({ kind, key, content }: Entry, size: number): void {
    const name = `${kind}/${key}`;
    this.#live -= this.#records.get(name)?.size ?? 0;
    this.#records.delete(name);
    if (!content) return;
    this.#records.set(name, { kind, key, content, size });
    this.#live += size;
  }

  keys(kind: Kind): string[] {
    this.#known();
    const all = [...this.#records.values()].filter((record) => record.kind === kind);
    return all.map((record) => record.key).sort();
  }

  get(kind: Kind, key: string): Uint8Array | undefined {
    this.#known();
    return this.#records.get(`${kind}/${key}`)?.content.slice();
  }

  put(kind: Kind, key: string, content: Uint8Array): void {
    this.#write({ kind, key, content: content.slice() });
  }

  remove(kind: Kind, key: string): void {
    this.#known();
    if (this.#records.has(`${kind}/${key}`)) this.#write({ kind, key, content: undefined });
  }

  #write(entry: Entry): void {
    const { generation, length } = this.#known();
    const bytes = encode(entry);
    // Durably removes a torn end before writing in its place: its bytes could look like an entry, once the
    // bytes before them have the right length.
    if (this.#log.mark()?.length !== length) this.#log.cut(generation, length);
    this.#end = undefined;
    const end = this.#log.append(generation, length, once(bytes));
    this.#apply(entry, bytes.length);
    this.#end = this.#rewritten(end);
  }

  /** Rewrites the log without obsolete entries, if they are most of it. */
  #rewritten(end: Mark): Mark {
    if (end.length <= SMALL || this.#live * 2 > Number(end.length)) return end;
    const records = this.#records.values();
    try {
      return this.#log.replace(() => {
        const { done, value } = records.next();
        return done ? undefined : encode(value);
      });
    } catch {
      // The change is in the old log, which stays larger until the next rewrite.
      return end;
    }
  }

  leftovers(): string[] {
    return this.#log.leftovers();
  }

  removeLeftovers(): void {
    this.#log.removeLeftovers();
  }
}
