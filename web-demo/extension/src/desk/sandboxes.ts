// The sandboxes, each open while somebody uses it.

import { GitgateError, listSandboxes, openSandbox, opfs, removeSandbox } from 'gitgate';
import type { Sandbox, Waiting } from 'gitgate';

import type { Begin } from '../common/kept.js';
import { http } from './http.js';
import { inPanel } from './in-panel.js';

export interface Used {
  sandbox: Sandbox;
  release(): void;
}

interface Entry {
  opened: Promise<Sandbox>;
  /** Ends each of its users. */
  users: Set<() => void>;
}

export class Sandboxes {
  readonly #entries = new Map<string, Entry>();
  /** The closing sandboxes. Reopening one waits for its closing. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #onWaiting: (name: string, waiting: Waiting[]) => void;

  constructor(onWaiting: (name: string, waiting: Waiting[]) => void) {
    this.#onWaiting = onWaiting;
  }

  list(): Promise<string[]> {
    return listSandboxes();
  }

  /** Opens an existing sandbox. `gone` is called when it is removed. */
  use(name: string, gone: () => void): Promise<Used> {
    return this.#use(name, gone);
  }

  async create({ name, github, git, pushTo, identity }: Begin): Promise<void> {
    if ((await this.list()).includes(name) || this.#entries.has(name)) {
      throw new GitgateError('usage', `there is a sandbox '${name}' already`, 'choose another name');
    }
    const { release } = await this.#use(name, () => undefined, {
      name,
      ...(github && { github }),
      ...(git && { git }),
      ...(pushTo && { pushTo }),
      ...(identity && { identity }),
    });
    release();
  }

  async #use(name: string, gone: () => void, begin?: Begin): Promise<Used> {
    const entry = this.#entries.get(name) ?? { opened: this.#open(name, begin), users: new Set() };
    this.#entries.set(name, entry);
    const end = (): void => gone();
    entry.users.add(end);
    try {
      const sandbox = await entry.opened;
      return { sandbox, release: () => this.#release(name, entry, end) };
    } catch (error) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
      throw error;
    }
  }

  async #open(name: string, begin: Begin | undefined): Promise<Sandbox> {
    await this.#closing.get(name);
    if (!begin && !(await this.list()).includes(name)) {
      throw new GitgateError('not-found', `there is no sandbox '${name}'`, 'choose another');
    }
    const sandbox = await openSandbox({
      name,
      storage: opfs(),
      identity: begin?.identity ?? 'You <you@example.org>',
      who: 'You',
      push: 'assisted',
      http,
      ...(begin?.github && { from: { github: begin.github } }),
      ...(begin?.git && { from: { git: begin.git } }),
      ...(begin?.pushTo && { pushTo: begin.pushTo }),
    });
    sandbox.onQuestion(inPanel(sandbox));
    sandbox.on('waiting', (waiting) => this.#onWaiting(name, waiting));
    sandbox.on('replaced', (why) => console.warn(`gitgate: the Worker of '${name}' was replaced:`, why));
    try {
      this.#onWaiting(name, await sandbox.waiting());
    } catch (error) {
      await sandbox.close();
      throw error;
    }
    return sandbox;
  }

  #release(name: string, entry: Entry, end: () => void): void {
    if (!entry.users.delete(end) || entry.users.size > 0 || this.#entries.get(name) !== entry) return;
    this.#entries.delete(name);
    this.#close(name, entry);
  }

  #close(name: string, entry: Entry): Promise<void> {
    const closed = entry.opened
      .then((sandbox) => sandbox.close())
      .catch((error: unknown) => console.error(`gitgate: '${name}' does not close`, error))
      .finally(() => {
        if (this.#closing.get(name) === closed) this.#closing.delete(name);
      });
    this.#closing.set(name, closed);
    return closed;
  }

  async remove(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    if (entry) {
      for (const gone of entry.users) gone();
      void this.#close(name, entry);
    }
    await this.#closing.get(name);
    await removeSandbox(name);
  }
}
