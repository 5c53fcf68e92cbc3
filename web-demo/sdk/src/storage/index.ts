// Where a sandbox is kept.

import { GitgateError } from '../error.js';
import { MemoryStorage } from './memory.js';

export interface Mark {
  generation: bigint;
  length: bigint;
}

export interface Storage {
  lock(wait: boolean): () => void;
  mark(log: string): Mark | undefined;
  read(log: string, generation: bigint, at: bigint, most: number): Uint8Array;
  create(log: string): Mark;
  append(log: string, generation: bigint, at: bigint, next: () => Uint8Array | undefined): Mark;
  cut(log: string, generation: bigint, at: bigint): void;
  replace(log: string, next: () => Uint8Array | undefined): Mark;
  setAside(log: string, generation: bigint, from: bigint): string;
  records(kind: string): string[];
  record(kind: string, key: string): Uint8Array | undefined;
  put(kind: string, key: string, content: Uint8Array): void;
  remove(kind: string, key: string): void;
  blobs(): string[];
  blob(id: string): { size: bigint; read(at: bigint, most: number): Uint8Array } | undefined;
  addBlob(id: string, content: Uint8Array): void;
  removeBlob(id: string): void;
  text(name: string): string | undefined;
  putText(name: string, text: string): void;
  leftovers(): string[];
  removeLeftovers(): void;
}

export interface Kept extends Storage {
  ready(blobs?: number): Promise<void>;
  close(): void;
  size(): number;
}

function notHere(): Promise<never> {
  return Promise.reject(new GitgateError('storage', 'there is no storage in OPFS here', 'use memory()'));
}

export const openOpfs = (_name: string): Promise<Kept> => notHere();
export const openMemory = (): Kept => new MemoryStorage();
export const listOpfs = (): Promise<string[]> => Promise.resolve([]);
export const removeOpfs = (_name: string): Promise<void> => notHere();
export const copyOpfs = (_from: string, _to: string): Promise<void> => notHere();
