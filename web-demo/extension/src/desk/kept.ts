// The service worker's storage for this document, and this document's copy of it.

import type { Waiting } from 'gitgate';

import { insist } from '../common/ask.js';
import type { Grant, Waits } from '../common/kept.js';

const failed = (error: unknown): void => console.error('gitgate: the service worker does not keep this', error);

export class Keeper {
  /** Nothing may be stored before this, or it would be lost. */
  readonly loaded: Promise<Grant[]>;
  waits: Waits[] = [];
  readonly #grants: () => Grant[];
  #saving: Promise<void> = Promise.resolve();
  /** Unknown before loading: another such document may have set one. */
  #asking: number | undefined;

  constructor(grants: () => Grant[]) {
    this.#grants = grants;
    this.loaded = insist('load', null).then(({ grants, waits }) => {
      this.waits = waits;
      return grants;
    });
    this.loaded.catch(failed);
  }

  /** Stores the new state after the previous one. */
  readonly save = (): Promise<void> => {
    const done = this.#saving.then(async () => {
      await this.loaded;
      await insist('save', { grants: this.#grants(), waits: this.waits });
    });
    this.#saving = done.catch(failed);
    return done;
  };

  /** The calls that now wait in that sandbox. `save` stores them. */
  async setWaiting(sandbox: string, waiting: Waiting[]): Promise<void> {
    await this.loaded;
    const now = waiting.map(({ id, tool, at, inside }) => ({
      sandbox,
      id,
      tool,
      at,
      summary: inside?.summary ?? null,
    }));
    this.waits = [...this.waits.filter((one) => one.sandbox !== sandbox), ...now];
  }

  tellAsking(count: number): void {
    if (count === this.#asking) return;
    this.#asking = count;
    insist('asking', count).catch(failed);
  }
}
