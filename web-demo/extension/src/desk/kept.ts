// What the service worker keeps for this document, and what this document knows of it.

import type { Waiting } from 'gitgate';

import { insist } from '../common/ask.js';
import type { Grant, Waits } from '../common/kept.js';

const failed = (error: unknown): void => console.error('gitgate: the service worker does not keep this', error);

export class Keeper {
  /** Nothing is kept before this, or it would be lost. */
  readonly loaded: Promise<Grant[]>;
  waits: Waits[] = [];
  readonly #grants: () => Grant[];
  #saving: Promise<void> = Promise.resolve();
  /** Not known before it is told: another such document may have told one. */
  #asking: number | undefined;

  constructor(grants: () => Grant[]) {
    this.#grants = grants;
    this.loaded = insist('load', null).then(({ grants, waits }) => {
      this.waits = waits;
      return grants;
    });
    this.loaded.catch(failed);
  }

  /** Keeps what is known then, after what was known before. */
  readonly save = (): Promise<void> => {
    const done = this.#saving.then(async () => {
      await this.loaded;
      await insist('save', { grants: this.#grants(), waits: this.waits });
    });
    this.#saving = done.catch(failed);
    return done;
  };

  /** What waits in that sandbox now. `save` keeps it. */
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
