import { GitgateError, told } from 'gitgate/edge';

type Column = ArrayBuffer | string | number | null;

/**
 * The database of an object. Its errors say that the storage failed. The first change creates its tables,
 * so a guessed name takes no room.
 */
export class Database {
  readonly #storage: DurableObjectStorage;
  readonly #schema: string;
  #isMade: boolean;

  constructor(storage: DurableObjectStorage, schema: string) {
    this.#storage = storage;
    this.#schema = schema;
    this.#isMade = this.#run("SELECT 1 FROM sqlite_master WHERE name = 'log'").length > 0;
  }

  /** The rows of a statement; none while there are no tables. */
  rows<T extends Record<string, Column>>(statement: string, ...values: Column[]): T[] {
    return this.#isMade ? this.#run(statement, ...values) : [];
  }

  #run<T extends Record<string, Column>>(statement: string, ...values: Column[]): T[] {
    try {
      return this.#storage.sql.exec<T>(statement, ...values).toArray();
    } catch (error) {
      throw new GitgateError('storage', `the database refuses: ${told(error).message}`, 'try again');
    }
  }

  /** Makes all changes of `work`, or none if it throws. */
  change<T>(work: () => T): T {
    if (!this.#isMade) {
      this.#run(this.#schema);
      this.#isMade = true;
    }
    return this.#storage.transactionSync(work);
  }

  /** The bytes in use. */
  size(): number {
    return this.#storage.sql.databaseSize;
  }
}
