// Decisions about waiting calls. A person may decide in another tab than the asking one, or in two at once.
// Everybody who waits for the call gets the outcome of the first decision.

import { isToChange } from '../reply.js';
import type { Reply, Sent } from '../reply.js';

/** The outcome of a decision; null for a call that stays inside and runs when it is repeated. */
export type Came = Sent<Reply> | null;

/** Ends a question whose call was decided elsewhere. */
export class DecidedElsewhere extends Error {
  /** How the call ends, or null if it must be repeated. */
  readonly reply: Came;

  constructor(reply: Came) {
    super('the call was decided about elsewhere');
    this.reply = reply;
  }
}

type Hear = (came: Came) => void;

export class Verdicts {
  readonly #underWay = new Map<string, Promise<Came | undefined>>();
  readonly #hearing = new Map<string, Set<Hear>>();

  /** Starts a decision. The caller reports the outcome, if any, through the returned function. */
  begin(id: string): (came?: Came) => void {
    let resolve: (came?: Came) => void = () => undefined;
    const mine = new Promise<Came | undefined>((end) => (resolve = end));
    this.#underWay.set(id, mine);
    return (came) => {
      if (this.#underWay.get(id) !== mine) return;
      this.#underWay.delete(id);
      const isDecided = came !== undefined && came?.outcome !== 'pending';
      resolve(isDecided ? came : undefined);
      if (isDecided) this.tell(id, came);
    };
  }

  /** Waits for a decision in progress. Returns nothing if there is none, or if it decided nothing. */
  async latest(id: string): Promise<Came | undefined> {
    for (let now = this.#underWay.get(id); now; now = this.#underWay.get(id)) {
      const came = await now;
      if (came !== undefined) return came;
    }
    return undefined;
  }

  /** Decides. If another decision is in progress, returns that one's outcome. */
  async decide(id: string, work: () => Promise<Came>): Promise<Came> {
    const other = await this.latest(id);
    if (other !== undefined) return other;
    const end = this.begin(id);
    let came: Came | undefined;
    try {
      came = await work();
      return came;
    } finally {
      end(came);
    }
  }

  /** Calls `hear` once the call is decided, until the caller calls the returned function. */
  hear(id: string, hear: Hear): () => void {
    const all = this.#hearing.get(id) ?? new Set();
    this.#hearing.set(id, all.add(hear));
    return () => {
      all.delete(hear);
      if (all.size === 0 && this.#hearing.get(id) === all) this.#hearing.delete(id);
    };
  }

  /** Notifies those who wait for the call. A person may have named it by the beginning of its id. */
  tell(id: string, came: Came): void {
    // The host keeps a rejection, or what is to change, until the agent receives it by repeating the call.
    const isKept = came !== null && (isToChange(came) || (came.outcome === 'failed' && came.kind === 'rejected'));
    for (const [waiting, all] of this.#hearing) {
      if (waiting.startsWith(id)) for (const hear of [...all]) hear(isKept ? null : came);
    }
  }
}
