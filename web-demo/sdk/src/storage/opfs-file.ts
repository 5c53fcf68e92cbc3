import { GitgateError } from '../error.js';
import type { SyncFile } from './file.js';

/** How long to wait for a locked file. A terminated Worker releases it after about 2 s. */
const LONGEST = 5_000;

interface SyncAccessHandle {
  read(into: Uint8Array, options: { at: number }): number;
  write(from: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  getSize(): number;
  close(): void;
}

declare global {
  interface FileSystemFileHandle {
    /** Exists only in a dedicated Worker, so a page's types lack it. */
    createSyncAccessHandle(): Promise<SyncAccessHandle>;
  }
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

export const isNotFound = (error: unknown): boolean => isNamed(error, 'NotFoundError');
/** Whether somebody has the file open. */
export const isLocked = (error: unknown): boolean => isNamed(error, 'NoModificationAllowedError');

/** The browser's error, with a hint. */
export function storageError(doing: string, error: unknown): GitgateError {
  if (error instanceof GitgateError) return error;
  if (isNamed(error, 'QuotaExceededError')) {
    const hint = 'remove sandboxes that are no longer needed, or call persist() for more room';
    return new GitgateError('storage', `cannot ${doing}: the quota of this site's storage is used up`, hint);
  }
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new GitgateError('storage', `cannot ${doing}: ${said}`, 'open the sandbox again, or use memory()');
}

/** The folder of all sandboxes. */
export async function root(): Promise<FileSystemDirectoryHandle> {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle('gitgate', { create: true });
  } catch (error) {
    const cause = storageError('reach the files of this site', error);
    throw new GitgateError('storage', cause.message, 'use memory(): a private window may have no files');
  }
}

/** Retries an operation that a lock may block, until its time is up. */
export type Patience = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** Waits for another user of the sandbox. */
export function newPatience(sandbox: string): Patience {
  return async (doing, work) => {
    const end = performance.now() + LONGEST;
    for (let wait = 20; ; wait = Math.min(2 * wait, 500)) {
      try {
        return await work();
      } catch (error) {
        if (!isLocked(error)) throw storageError(doing, error);
        if (performance.now() + wait > end) {
          throw new GitgateError('busy', `'${sandbox}' is open elsewhere`, 'close it there, or try again later');
        }
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
}

/** Opens a file, and creates it if it does not exist. */
export async function openFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  patience: Patience,
): Promise<OpfsFile> {
  const doing = `open ${name}`;
  const file = await patience(doing, () => folder.getFileHandle(name, { create: true }));
  if (typeof file.createSyncAccessHandle !== 'function') {
    throw new GitgateError('usage', `cannot ${doing} here`, 'open it in a dedicated Worker of a current browser');
  }
  const handle = await patience(doing, () => file.createSyncAccessHandle());
  // From here on nobody else can write it.
  const { lastModified } = await file.getFile().catch((error: unknown) => {
    handle.close();
    throw storageError(doing, error);
  });
  return new OpfsFile(name, handle, lastModified);
}

/** A file of this origin. */
export class OpfsFile implements SyncFile {
  readonly #handle: SyncAccessHandle;

  constructor(
    readonly name: string,
    handle: SyncAccessHandle,
    readonly touched: number,
  ) {
    this.#handle = handle;
  }

  #do<T>(doing: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(`${doing} ${this.name}`, error);
    }
  }

  read(into: Uint8Array, at: number): number {
    return this.#do('read', () => this.#handle.read(into, { at }));
  }

  write(from: Uint8Array, at: number): void {
    this.#do('write', () => {
      let done = 0;
      while (done < from.length) {
        const written = this.#handle.write(from.subarray(done), { at: at + done });
        if (written === 0) throw new Error('the browser writes no more');
        done += written;
      }
    });
  }

  truncate(size: number): void {
    this.#do('cut', () => this.#handle.truncate(size));
  }

  flush(): void {
    this.#do('flush', () => this.#handle.flush());
  }

  size(): number {
    return this.#do('measure', () => this.#handle.getSize());
  }

  close(): void {
    this.#handle.close();
  }
}
