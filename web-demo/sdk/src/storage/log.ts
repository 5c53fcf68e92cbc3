// A log in two files. The one with the higher generation counts. To replace the log, it writes the other
// file, and that file's header once its content is durable.

import { GitgateError } from '../error.js';
import { checksum } from './checksum.js';
import { damaged, readUpTo, writeParts } from './file.js';
import type { SyncFile } from './file.js';
import type { Mark, Next } from './types.js';

/** Magic number with the version, generation, checksum of both, zeros. */
const HEADER = 32;
const CHECKED = 16;
const MAGIC = new TextEncoder().encode('gitgate\x01');

export type Pair = [SyncFile, SyncFile];

function header(generation: bigint): Uint8Array {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setBigUint64(MAGIC.length, generation);
  view.setUint32(CHECKED, checksum(bytes.subarray(0, CHECKED)));
  return bytes;
}

/** The generation in a file's header; 0 if the header is incomplete. */
function generationOf(head: Uint8Array): bigint {
  if (head.length < HEADER) return 0n;
  const said = new DataView(head.buffer, head.byteOffset).getBigUint64(MAGIC.length);
  return header(said).every((byte, at) => byte === head[at]) ? said : 0n;
}

/** Whether an interrupted write of the first header can have left this. */
function isBegun(head: Uint8Array): boolean {
  const first = header(1n);
  return head.every((byte, at) => byte === 0 || byte === first[at]);
}

export class Log {
  readonly #name: string;
  /** The file that counts, if the log exists. */
  #file: SyncFile | undefined;
  /** The file for the next replacement. */
  #other: SyncFile;
  readonly #files: Pair;
  /** The generation of the file that counts, or a later one if its state is uncertain. */
  #generation: bigint;
  /**
   * Whether the other file may count after all at the next opening. Then nothing more may be written to the
   * log: it would be lost.
   */
  #isInDoubt = false;

  /** Opens a log. */
  constructor(name: string, files: Pair) {
    this.#name = name;
    this.#files = files;
    const [a, b] = files;
    const heads = [a, b].map((file) => readUpTo(file, 0, HEADER));
    const [ofA = 0n, ofB = 0n] = heads.map(generationOf);
    const counts = ofA > ofB ? a : b;
    this.#other = this.#notThe(counts);
    this.#generation = ofA > ofB ? ofA : ofB;
    if (this.#generation > 0n) this.#file = counts;
    else if (!heads.every(isBegun)) throw damaged(name);
  }

  #notThe(file: SyncFile): SyncFile {
    const [a, b] = this.#files;
    return file === a ? b : a;
  }

  /** The log's file, if it still has everything before that place. */
  #at(generation: bigint, at: bigint): SyncFile {
    const file = this.#file;
    if (!file || generation !== this.#generation || at > file.size() - HEADER) {
      throw new GitgateError('storage', `${this.#name} is no longer what it was`, 'open the sandbox again');
    }
    return file;
  }

  mark(): Mark | undefined {
    if (!this.#file) return undefined;
    return { generation: this.#generation, length: BigInt(this.#file.size() - HEADER) };
  }

  read(generation: bigint, at: bigint, most: number): Uint8Array {
    return readUpTo(this.#at(generation, at), HEADER + Number(at), most);
  }

  create(): Mark {
    return this.mark() ?? this.replace(() => undefined);
  }

  append(generation: bigint, at: bigint, next: Next): Mark {
    const file = this.#at(generation, at);
    this.#settle();
    const from = HEADER + Number(at);
    try {
      if (file.size() > from) file.truncate(from);
      const end = writeParts(file, from, next);
      file.flush();
      return { generation, length: BigInt(end - HEADER) };
    } catch (error) {
      this.#takeBack(file, from);
      throw error;
    }
  }

  /** The error that led here says more than one from here. */
  #takeBack(file: SyncFile, end: number): void {
    try {
      file.truncate(end);
      file.flush();
    } catch {
      this.#generation += 1n;
    }
  }

  cut(generation: bigint, at: bigint): void {
    const file = this.#at(generation, at);
    this.#settle();
    file.truncate(HEADER + Number(at));
    file.flush();
  }

  replace(next: Next): Mark {
    this.#settle();
    const file = this.#other;
    const generation = this.#generation + 1n;
    let end = HEADER;
    try {
      file.truncate(0);
      end = writeParts(file, HEADER, next);
      file.flush();
      this.#isInDoubt = true;
      file.write(header(generation), 0);
      file.flush();
      this.#isInDoubt = false;
    } catch (error) {
      this.#giveBack();
      throw error;
    }
    this.#other = this.#notThe(file);
    this.#file = file;
    this.#generation = generation;
    this.#giveBack();
    return { generation, length: BigInt(end - HEADER) };
  }

  /** Ensures that the other file does not count. */
  #settle(): void {
    if (this.#isInDoubt) this.#empty();
  }

  #empty(): void {
    this.#other.truncate(0);
    this.#other.flush();
    this.#isInDoubt = false;
  }

  /** Frees the other file's space. If that fails, the file is a leftover. */
  #giveBack(): void {
    try {
      this.#empty();
    } catch {
      // Nothing depends on it, and `#settle` precedes everything that would.
    }
  }

  leftovers(): string[] {
    return this.#other.size() > 0 ? [this.#other.name] : [];
  }

  removeLeftovers(): void {
    if (this.#other.size() > 0) this.#empty();
  }
}
