import type { SyncFile } from './file.js';
import { Keeping } from './keeping.js';
import type { Kept } from './types.js';

/** A file in memory. It grows by doubling, so that appending does not copy everything each time. */
export class MemoryFile implements SyncFile {
  #bytes = new Uint8Array(0);
  #size = 0;

  constructor(readonly name: string) {}

  read(into: Uint8Array, at: number): number {
    const part = this.#bytes.subarray(at, Math.min(at + into.length, this.#size));
    into.set(part);
    return part.length;
  }

  write(from: Uint8Array, at: number): void {
    const end = at + from.length;
    if (end > this.#bytes.length) this.#resize(Math.max(end, this.#bytes.length * 2));
    this.#bytes.set(from, at);
    this.#size = Math.max(this.#size, end);
  }

  #resize(room: number): void {
    const bytes = new Uint8Array(room);
    bytes.set(this.#bytes.subarray(0, Math.min(room, this.#size)));
    this.#bytes = bytes;
  }

  truncate(size: number): void {
    // Everything after the end stays zero, so that growing again exposes zeros.
    this.#resize(size);
    this.#size = size;
  }

  flush(): void {}

  size(): number {
    return this.#size;
  }

  close(): void {}
}

/** A storage that ends with its Worker. */
export function openMemory(): Kept {
  const file = (name: string): MemoryFile => new MemoryFile(name);
  const pair = (name: string): [MemoryFile, MemoryFile] => [file(`${name}.a`), file(`${name}.b`)];
  const more = (): Promise<MemoryFile> => Promise.resolve(file('slot'));
  const slots = Array.from({ length: 4 }, () => file('slot'));
  return new Keeping({ journal: pair('journal'), audit: pair('audit.log'), records: pair('records'), slots, more });
}
