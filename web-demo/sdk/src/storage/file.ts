import { GitgateError } from '../error.js';

/** A file that is open, and that nobody else has open. */
export interface SyncFile {
  readonly name: string;
  /** When it was last written before it was opened, if that is known: a file that is touched says another. */
  readonly touched?: number;
  /** Reads as much as is there and fits, and says how much that was. */
  read(into: Uint8Array, at: number): number;
  /**
   * Writes all of it, or throws: then any part of it may be there. A gap before it becomes zeros.
   */
  write(from: Uint8Array, at: number): void;
  truncate(size: number): void;
  /** Makes durable what was done before. */
  flush(): void;
  size(): number;
  close(): void;
}

/** As much of what is at that place as is there. */
export function readUpTo(file: SyncFile, at: number, most: number): Uint8Array {
  const into = new Uint8Array(Math.max(0, Math.min(most, file.size() - at)));
  return into.subarray(0, file.read(into, at));
}

/** Writes all parts from that place on, and says where they end. */
export function writeParts(file: SyncFile, at: number, next: () => Uint8Array | undefined): number {
  let end = at;
  for (let part = next(); part !== undefined; part = next()) {
    file.write(part, end);
    end += part.length;
  }
  return end;
}

/** Gives one part. */
export function once(part: Uint8Array): () => Uint8Array | undefined {
  let rest: Uint8Array | undefined = part;
  return () => {
    const given = rest;
    rest = undefined;
    return given;
  };
}

/** The content of a file that interrupted writing cannot explain. */
export function damaged(what: string): GitgateError {
  const hint = "restore it from an export; the browser's files of this site are damaged";
  return new GitgateError('damaged', `${what} is damaged`, hint);
}
