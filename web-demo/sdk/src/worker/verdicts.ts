// What is decided about waiting calls. A person may decide in another tab than the one that asks
// them, or in two at once: whoever waits for that call hears what the first decision came to.

import type { Reply, Sent } from '../reply.js';

/** What a decision came to. Nothing, of a call that stays inside: it runs when it is made again. */
export type Came = Sent<Reply> | null;

/** Ends a question whose call was decided about elsewhere. */
export class DecidedElsewhere extends Error {
  /** How the call ends, or nothing if it has to be made again. */
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

  /** Goes on until the function that comes back is told what came of it, if anything was decided. */
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

  /** Waits for a decision that is under way. Nothing, if there is none, or none was made. */
  async latest(id: string): Promise<Came | undefined> {
    for (let now = this.#underWay.get(id); now; now = this.#underWay.get(id)) {
      const came = await now;
      if (came !== undefined) return came;
    }
    return undefined;
  }

  /** Decides. Where that is under way already, what the other decision comes to is the result. */
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

  /** Calls `hear` once it is decided, until the function that comes back is called. */
  hear(id: string, hear: Hear): () => void {
    const all = this.#hearing.get(id) ?? new Set();
    this.#hearing.set(id, all.add(hear));
    return () => {
      all.delete(hear);
      if (all.size === 0 && this.#hearing.get(id) === all) this.#hearing.delete(id);
    };
  }

  /** Tells those who wait for the call. A person may have named it by the beginning of its id. */
  tell(id: string, came: Came): void {
    // The host keeps a rejection until the agent takes it by making the call again.
    const isKept = came?.outcome === 'failed' && came.kind === 'rejected';
    for (const [waiting, all] of this.#hearing) {
      if (waiting.startsWith(id)) for (const hear of [...all]) hear(isKept ? null : came);
    }
  }
}
