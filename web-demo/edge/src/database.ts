import { GitgateError, told } from 'gitgate/edge';

type Column = ArrayBuffer | string | number | null;

/** The database of an object, whose errors say that it is the storage that has failed. */
export class Database {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  rows<T extends Record<string, Column>>(statement: string, ...values: Column[]): T[] {
    try {
      return this.#storage.sql.exec<T>(statement, ...values).toArray();
    } catch (error) {
      throw new GitgateError('storage', `the database refuses: ${told(error).message}`, 'try again');
    }
  }

  /** Makes all changes of `work` or, if it throws, none. */
  change<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  /** Bytes that are used. */
  size(): number {
    return this.#storage.sql.databaseSize;
  }
}
