import { GitgateError, told } from 'gitgate/edge';

type Column = ArrayBuffer | string | number | null;

/**
 * The database of an object, whose errors say that it is the storage that has failed. Its tables are made
 * with the first change: a name that somebody has guessed takes no room.
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

  /** The rows that a statement gives: none as long as there are no tables. */
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

  /** Makes all changes of `work` or, if it throws, none. */
  change<T>(work: () => T): T {
    if (!this.#isMade) {
      this.#run(this.#schema);
      this.#isMade = true;
    }
    return this.#storage.transactionSync(work);
  }

  /** Bytes that are used. */
  size(): number {
    return this.#storage.sql.databaseSize;
  }
}
