import { DurableObject } from 'cloudflare:workers';

/** The names of all sandboxes. Only a sandbox's own object knows whether it exists. */
export class Directory extends DurableObject {
  readonly #sql = this.ctx.storage.sql;

  /** There is one object for all. */
  static of(namespace: DurableObjectNamespace<Directory>): DurableObjectStub<Directory> {
    return namespace.getByName('directory');
  }

  #prepare(): void {
    this.#sql.exec('CREATE TABLE IF NOT EXISTS sandbox (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  }

  add(name: string): void {
    this.#prepare();
    this.#sql.exec('INSERT OR IGNORE INTO sandbox VALUES (?)', name);
  }

  remove(name: string): void {
    this.#prepare();
    this.#sql.exec('DELETE FROM sandbox WHERE name = ?', name);
  }

  /** All names, sorted. */
  all(): string[] {
    this.#prepare();
    return [...this.#sql.exec<{ name: string }>('SELECT name FROM sandbox ORDER BY name')].map(({ name }) => name);
  }
}
