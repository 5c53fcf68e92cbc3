// Asks about one call, until it is answered here or decided elsewhere.

import type { Context } from '../rpc.js';
import type { Asked } from './convert.js';
import { client } from './driver.js';
import type { Ask } from './driver.js';
import type { Answered } from './shim.js';
import { DecidedElsewhere } from './verdicts.js';
import type { Came, Verdicts } from './verdicts.js';
import type { WaitingId } from './waiting-id.js';

export class Asking {
  readonly #verdicts: Verdicts;
  readonly #id: WaitingId;
  readonly #client: Ask;
  /** Reports the decision made here, which others wait for. */
  #end: ((came?: Came) => void) | undefined;

  constructor(verdicts: Verdicts, context: Context, id: WaitingId) {
    this.#verdicts = verdicts;
    this.#id = id;
    this.#client = client(context, () => id.latest);
  }

  /** The call is over, with that reply if it has one. */
  end(came?: Came): void {
    this.#end?.(came);
    this.#end = undefined;
  }

  readonly ask: Ask = async (asked) => {
    this.end();
    const id = this.#id.latest;
    // A user's call does not wait, so nobody else can decide about it.
    if (id === null) return this.#client(asked);
    const answered = await this.#answered(asked, id);
    const other = await this.#verdicts.latest(id);
    if (other !== undefined) throw new DecidedElsewhere(other);
    const isLater = answered.val.said.tag === 'unavailable';
    if (answered.tag === 'push' && !isLater) this.#end = this.#verdicts.begin(id);
    return answered;
  };

  async #answered(asked: Asked, id: string): Promise<Answered> {
    const off = new AbortController();
    let stop = (): void => undefined;
    const elsewhere = new Promise<never>((_, reject) => {
      stop = this.#verdicts.hear(id, (came) => reject(new DecidedElsewhere(came)));
    });
    try {
      return await Promise.race([this.#client(asked, off.signal), elsewhere]);
    } finally {
      stop();
      off.abort();
    }
  }
}
