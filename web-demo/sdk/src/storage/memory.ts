// A sandbox in memory.

import { GitgateError } from '../error.js';
import type { Kept, Mark } from './index.js';

type Next = () => Uint8Array | undefined;

interface Log {
  generation: bigint;
  bytes: Uint8Array;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function gather(next: Next): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let part = next(); part !== undefined; part = next()) parts.push(part);
  return parts;
}

const mark = ({ generation, bytes }: Log): Mark => ({ generation, length: BigInt(bytes.length) });

export class MemoryStorage implements Kept {
  #held = false;
  #generations = 0n;
  readonly #logs = new Map<string, Log>();
  readonly #records = new Map<string, Map<string, Uint8Array>>();
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #texts = new Map<string, string>();
  readonly #aside = new Map<string, Uint8Array>();

  lock(_wait: boolean): () => void {
    if (this.#held) throw new GitgateError('busy', 'the sandbox is in use', 'try again when that is done');
    this.#held = true;
    return () => {
      this.#held = false;
    };
  }

  #at(name: string, generation: bigint, at: bigint): Log {
    const log = this.#logs.get(name);
    if (log?.generation !== generation || at > log.bytes.length) {
      throw new GitgateError('storage', `${name} must be opened again`);
    }
    return log;
  }

  mark(name: string): Mark | undefined {
    const log = this.#logs.get(name);
    return log && mark(log);
  }

  read(name: string, generation: bigint, at: bigint, most: number): Uint8Array {
    return this.#at(name, generation, at).bytes.subarray(Number(at), Number(at) + most);
  }

  create(name: string): Mark {
    const log = this.#logs.get(name);
    return log ? mark(log) : this.replace(name, () => undefined);
  }

  append(name: string, generation: bigint, at: bigint, next: Next): Mark {
    this.cut(name, generation, at);
    const log = this.#at(name, generation, at);
    log.bytes = joined([log.bytes, ...gather(next)]);
    return mark(log);
  }

  cut(name: string, generation: bigint, at: bigint): void {
    const log = this.#at(name, generation, at);
    log.bytes = log.bytes.subarray(0, Number(at));
  }

  replace(name: string, next: Next): Mark {
    const bytes = joined(gather(next));
    this.#generations += 1n;
    const log = { generation: this.#generations, bytes };
    this.#logs.set(name, log);
    return mark(log);
  }

  setAside(name: string, generation: bigint, from: bigint): string {
    const place = `${name}.torn.${this.#aside.size}`;
    this.#aside.set(place, this.#at(name, generation, from).bytes.slice(Number(from)));
    return place;
  }

  #kind(kind: string): Map<string, Uint8Array> {
    const records = this.#records.get(kind) ?? new Map<string, Uint8Array>();
    this.#records.set(kind, records);
    return records;
  }

  records(kind: string): string[] {
    return [...this.#kind(kind).keys()].sort();
  }

  record(kind: string, key: string): Uint8Array | undefined {
    return this.#kind(kind).get(key);
  }

  put(kind: string, key: string, content: Uint8Array): void {
    this.#kind(kind).set(key, content);
  }

  remove(kind: string, key: string): void {
    this.#kind(kind).delete(key);
  }

  blobs(): string[] {
    return [...this.#blobs.keys()].sort();
  }

  blob(id: string): { size: bigint; read(at: bigint, most: number): Uint8Array } | undefined {
    const content = this.#blobs.get(id);
    return content && {
      size: BigInt(content.length),
      read: (at, most) => content.subarray(Number(at), Number(at) + most),
    };
  }

  addBlob(id: string, content: Uint8Array): void {
    this.#blobs.set(id, content);
  }

  removeBlob(id: string): void {
    this.#blobs.delete(id);
  }

  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  putText(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  leftovers(): string[] {
    return [];
  }

  removeLeftovers(): void {}

  ready(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}

  size(): number {
    return [...this.#logs.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}
