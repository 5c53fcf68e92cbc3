// Contents by name, each in a separate file. The files are opened before they are needed. A file without a
// complete header is spare, because the header is written after the content is durable.

import { GitgateError } from '../error.js';
import { checksum } from './checksum.js';
import { readUpTo, writeParts } from './file.js';
import type { SyncFile } from './file.js';
import type { Blob, Next } from './types.js';

/** Spare files beyond the requested ones. */
const SPARE = 4;

const KINDS = ['blob', 'aside'] as const;
export type Kind = (typeof KINDS)[number];

/** Magic number with the version, number, length, kind, length of the name, name, checksum. */
const HEADER = 96;
const MAGIC = new TextEncoder().encode('gitslot\x01');
const AT = { sequence: 8, length: 16, kind: 24, nameLength: 25, name: 26, checksum: HEADER - 4 };

interface Content {
  kind: Kind;
  name: string;
  length: number;
  /** Of two slots with the same name, the later one counts. */
  sequence: bigint;
}

interface Slot extends Content {
  file: SyncFile;
  /** Its modification time; `undefined` if it was written since it was opened. */
  touched: number | undefined;
}

/** A content, open. */
export interface OpenSlot {
  blob: Blob;
  touched: number | undefined;
}

function encode({ kind, name, length, sequence }: Content): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  const text = new TextEncoder().encode(name);
  if (AT.name + text.length > AT.checksum) throw new GitgateError('usage', `'${name}' is too long a name`);
  bytes.set(MAGIC);
  view.setBigUint64(AT.sequence, sequence);
  view.setBigUint64(AT.length, BigInt(length));
  view.setUint8(AT.kind, KINDS.indexOf(kind));
  view.setUint8(AT.nameLength, text.length);
  bytes.set(text, AT.name);
  view.setUint32(AT.checksum, checksum(bytes.subarray(0, AT.checksum)));
  return bytes;
}

/** The content described by a file's header; `undefined` if the header is incomplete. */
function decode(bytes: Uint8Array): Content | undefined {
  if (bytes.length < HEADER || MAGIC.some((byte, at) => byte !== bytes[at])) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(AT.checksum) !== checksum(bytes.subarray(0, AT.checksum))) return undefined;
  const kind = KINDS[view.getUint8(AT.kind)];
  if (!kind) return undefined;
  const name = bytes.subarray(AT.name, AT.name + view.getUint8(AT.nameLength));
  return {
    kind,
    name: new TextDecoder().decode(name),
    length: Number(view.getBigUint64(AT.length)),
    sequence: view.getBigUint64(AT.sequence),
  };
}

export class Slots {
  readonly #more: () => Promise<SyncFile>;
  readonly #used = new Map<string, Slot>();
  readonly #spare: SyncFile[] = [];
  /** Files that should be spare, but may still contain something. */
  #stuck: SyncFile[] = [];
  /** Files being opened. */
  readonly #opening = new Set<Promise<void>>();
  #sequence = 0n;
  #isClosed = false;

  /** The existing files, and a function that opens one more. */
  constructor(files: SyncFile[], more: () => Promise<SyncFile>) {
    this.#more = more;
    for (const file of files) {
      const content = decode(readUpTo(file, 0, HEADER));
      if (content) this.#found({ ...content, file, touched: file.touched });
      else if (file.size() > 0) this.#stuck.push(file);
      else this.#spare.push(file);
    }
  }

  #found(slot: Slot): void {
    if (slot.sequence > this.#sequence) this.#sequence = slot.sequence;
    const other = this.#used.get(slot.name);
    const [later, earlier] = other && other.sequence > slot.sequence ? [other, slot] : [slot, other];
    this.#used.set(later.name, later);
    if (earlier) this.#stuck.push(earlier.file);
  }

  names(kind: Kind): string[] {
    const all = [...this.#used.values()].filter((slot) => slot.kind === kind);
    return all.map((slot) => slot.name).sort();
  }

  get(kind: Kind, name: string): OpenSlot | undefined {
    const slot = this.#used.get(name);
    if (slot?.kind !== kind) return undefined;
    const blob: Blob = {
      size: BigInt(slot.length),
      read: (at, most) => {
        if (this.#used.get(name) !== slot) {
          throw new GitgateError('storage', `${name} was replaced while it was read`, 'try again');
        }
        const from = Number(at);
        return readUpTo(slot.file, HEADER + from, Math.max(0, Math.min(most, slot.length - from)));
      },
    };
    return { blob, touched: slot.touched };
  }

  /** Stores a content, and replaces one with the same name. */
  add(kind: Kind, name: string, next: Next): void {
    const file = this.#spare.pop();
    if (!file) {
      const hint = 'wait for ready() with the number of attachments first';
      throw new GitgateError('storage', `no open file is left to keep ${name} in`, hint);
    }
    this.#sequence += 1n;
    const sequence = this.#sequence;
    let length = 0;
    try {
      length = writeParts(file, HEADER, next) - HEADER;
      file.flush();
      file.write(encode({ kind, name, length, sequence }), 0);
      file.flush();
    } catch (error) {
      this.#clear(file);
      throw error;
    }
    const before = this.#used.get(name);
    this.#used.set(name, { kind, name, length, sequence, file, touched: undefined });
    if (before) this.#clear(before.file);
  }

  /** If this fails, the content may or may not be back after the next opening. */
  remove(kind: Kind, name: string): void {
    const slot = this.#used.get(name);
    if (slot?.kind !== kind) return;
    this.#used.delete(name);
    const error = this.#clear(slot.file);
    if (error !== undefined) throw error;
  }

  /**
   * Makes a file spare. It must be durably empty, or its old content could reappear. If that fails, the
   * file is a leftover, and the error is returned.
   */
  #clear(file: SyncFile): unknown {
    try {
      file.truncate(0);
      file.flush();
      this.#spare.push(file);
      return undefined;
    } catch (error) {
      this.#stuck.push(file);
      return error;
    }
  }

  leftovers(): string[] {
    return this.#stuck.map((file) => file.name);
  }

  removeLeftovers(): void {
    const stuck = this.#stuck;
    this.#stuck = [];
    for (const file of stuck) this.#clear(file);
  }

  /** Opens as many files as that many contents still need. */
  async ready(contents: number): Promise<void> {
    const lacking = contents + SPARE - this.#spare.length - this.#opening.size;
    for (let at = 0; at < lacking; at += 1) {
      const opening = this.#open().finally(() => this.#opening.delete(opening));
      this.#opening.add(opening);
    }
    await Promise.all(this.#opening);
  }

  async #open(): Promise<void> {
    const file = await this.#more();
    if (this.#isClosed) file.close();
    else this.#spare.push(file);
  }

  /** All files that are open. */
  files(): SyncFile[] {
    return [...[...this.#used.values()].map((slot) => slot.file), ...this.#spare, ...this.#stuck];
  }

  close(): void {
    this.#isClosed = true;
    for (const file of this.files()) file.close();
  }
}
