import { GitgateError } from '../error.js';

/** An open file that nobody else has open. */
export interface SyncFile {
  readonly name: string;
  /** Its modification time before opening, if known. Any later write changes it. */
  readonly touched?: number;
  /** Reads as many bytes as exist and fit, and returns their number. */
  read(into: Uint8Array, at: number): number;
  /**
   * Writes all bytes, or throws: then any part of them may be there. A gap before them becomes zeros.
   */
  write(from: Uint8Array, at: number): void;
  truncate(size: number): void;
  /** Makes earlier changes durable. */
  flush(): void;
  size(): number;
  close(): void;
}

/** The bytes at that place, as many as exist. */
export function readUpTo(file: SyncFile, at: number, most: number): Uint8Array {
  const into = new Uint8Array(Math.max(0, Math.min(most, file.size() - at)));
  return into.subarray(0, file.read(into, at));
}

/** Writes all parts from that place on, and returns their end. */
export function writeParts(file: SyncFile, at: number, next: () => Uint8Array | undefined): number {
  let end = at;
  for (let part = next(); part !== undefined; part = next()) {
    file.write(part, end);
    end += part.length;
  }
  return end;
}

/** Returns one part. */
export function once(part: Uint8Array): () => Uint8Array | undefined {
  let rest: Uint8Array | undefined = part;
  return () => {
    const given = rest;
    rest = undefined;
    return given;
  };
}

/** The error for file content that no interrupted write can explain. */
export function damaged(what: string): GitgateError {
  const hint = "restore it from an export; the browser's files of this site are damaged";
  return new GitgateError('damaged', `${what} is damaged`, hint);
}
