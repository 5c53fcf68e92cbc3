/** A place in a log. Only the storage that gave it can tell what it means. */
export interface Mark {
  /** Changes whenever what is known of the log no longer holds, and never comes back. */
  generation: bigint;
  /** Bytes before the place. */
  length: bigint;
}

/** Gives the next part of what is written, and `undefined` at the end. */
export type Next = () => Uint8Array | undefined;

/** A blob, open. Reading fails once it was replaced or removed. */
export interface Blob {
  size: bigint;
  read(at: bigint, most: number): Uint8Array;
  /** Whether it was found whole, and can only have been touched by what takes that note away. */
  isKnownWhole?: boolean;
  /** Notes that it was found whole. */
  noteWhole?(): void;
}

/**
 * What the shim keeps a sandbox in. A change that has returned is durable. One that has thrown has
 * happened or has not, as a whole; of an `append` that has thrown nothing is there, unless the log
 * has another generation now. What `next` throws comes out as it is.
 *
 * Logs are `journal` and `audit.log`, kinds of records `pending`, `waiting` and `sent`; blobs are
 * named by their SHA-256 in hex.
 */
export interface Storage {
  /** Takes the lock, which the function that comes back frees. */
  lock(wait: boolean): () => void;
  mark(log: string): Mark | undefined;
  read(log: string, generation: bigint, at: bigint, most: number): Uint8Array;
  create(log: string): Mark;
  /** Writes at that place, and cuts off what stood behind it. */
  append(log: string, generation: bigint, at: bigint, next: Next): Mark;
  cut(log: string, generation: bigint, at: bigint): void;
  replace(log: string, next: Next): Mark;
  /** Keeps a copy of what follows that place, and says under which name. */
  setAside(log: string, generation: bigint, from: bigint): string;
  records(kind: string): string[];
  record(kind: string, key: string): Uint8Array | undefined;
  put(kind: string, key: string, content: Uint8Array): void;
  remove(kind: string, key: string): void;
  blobs(): string[];
  blob(id: string): Blob | undefined;
  addBlob(id: string, content: Uint8Array): void;
  removeBlob(id: string): void;
  text(name: string): string | undefined;
  putText(name: string, text: string): void;
  leftovers(): string[];
  removeLeftovers(): void;
}

/** A storage that is open. */
export interface Kept extends Storage {
  /**
   * Opens files for that many blobs and a few more. A browser opens files asynchronously and the
   * host adds blobs synchronously, so this comes before each turn of the host.
   */
  ready(blobs?: number): Promise<void>;
  /** Lets go of all files. Nothing can be done with it afterwards. */
  close(): void;
  /** Whether something is under way that nothing else can be done beside. */
  readonly isLocked: boolean;
  /** Bytes that are used. */
  size(): number;
}
