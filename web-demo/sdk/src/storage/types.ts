/** A place in a log. Only the storage that returned it can interpret it. */
export interface Mark {
  /** Changes whenever knowledge about the log becomes invalid, and never repeats. */
  generation: bigint;
  /** Bytes before the place. */
  length: bigint;
}

/** Returns the next part of the data, and `undefined` at the end. */
export type Next = () => Uint8Array | undefined;

/** An open blob. Reading fails once it was replaced or removed. */
export interface Blob {
  size: bigint;
  read(at: bigint, most: number): Uint8Array;
  /** Whether it was verified whole. Anything that could have changed it since would have removed the note. */
  isKnownWhole?: boolean;
  /** Notes that it was verified whole. */
  noteWhole?(): void;
}

/**
 * The shim's storage for a sandbox. A change that returned is durable. A change that threw has happened
 * completely or not at all. After an `append` that threw, nothing was appended, unless the log now has
 * another generation. Errors of `next` pass through unchanged.
 *
 * Logs are `journal` and `audit.log`, kinds of records `pending`, `waiting` and `sent`. Blobs are named by
 * their SHA-256 in hex.
 */
export interface Storage {
  /** Takes the lock. The returned function releases it. */
  lock(wait: boolean): () => void;
  mark(log: string): Mark | undefined;
  read(log: string, generation: bigint, at: bigint, most: number): Uint8Array;
  create(log: string): Mark;
  /** Writes at that place, and cuts off everything after it. */
  append(log: string, generation: bigint, at: bigint, next: Next): Mark;
  cut(log: string, generation: bigint, at: bigint): void;
  replace(log: string, next: Next): Mark;
  /** Stores a copy of everything after that place, and returns its name. */
  setAside(log: string, generation: bigint, from: bigint): string;
  records(kind: string): string[];
  record(kind: string, key: string): Uint8Array | undefined;
  put(kind: string, key: string, content: Uint8Array): void;
  remove(kind: string, key: string): void;
  blobs(): string[];
  blob(id: string): Blob | undefined;
  addBlob(id: string, next: Next): void;
  removeBlob(id: string): void;
  text(name: string): string | undefined;
  putText(name: string, text: string): void;
  leftovers(): string[];
  removeLeftovers(): void;
}

/** A storage that is open. */
export interface Kept extends Storage {
  /**
   * Opens files for that many blobs and a few more. A browser opens files asynchronously, and the host adds
   * blobs synchronously, so this precedes each turn of the host.
   */
  ready(blobs?: number): Promise<void>;
  /** Closes all files. The storage is unusable afterwards. */
  close(): void;
  /** Whether an operation is in progress that excludes all others. */
  readonly isLocked: boolean;
  /** The bytes in use. */
  size(): number;
}
