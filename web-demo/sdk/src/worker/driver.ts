// Makes calls in turns: advances, performs the need, supplies the result, and repeats.

import { GitgateError, calledOff, told } from '../error.js';
import type { Given, Need } from '../protocol.js';
import type { Answer } from '../question.js';
import type { Context } from '../rpc.js';
import type { Kept } from '../storage/index.js';
import type { Clock } from './clock.js';
import { answered, digestOf, question } from './convert.js';
import type { Asked } from './convert.js';
import type { Answered, ShimGiven, ShimNeed, ShimReply, ShimRun } from './shim.js';
import { Turns } from './turns.js';

/** Answers a question, or says that nobody can. Once `off` fires, nobody waits for the answer. */
export type Ask = (asked: Asked, off?: AbortSignal) => Promise<Answered>;

/**
 * Asks the caller of the waiting call `id`. An approval covers what they were shown.
 */
export function client(context: Context, id: () => string | null): Ask {
  return async (asked, off) => {
    const given = await context.need({ tag: 'question', val: question(asked, id()) }, off).catch(unlessGone);
    if (given.tag !== 'question') throw new GitgateError('usage', 'the answer is to another question');
    const digest = digestOf(asked);
    const { val } = given;
    const isForThis = val.say === 'approve' && digest !== undefined;
    return answered(asked.tag, isForThis ? { ...val, digest: val.digest ?? digest } : val);
  };
}

/** A vanished tab has not answered, so its question keeps waiting for a person. */
function unlessGone(error: unknown): Given {
  if (told(error).kind !== 'lost') throw error;
  return { tag: 'question', val: { say: 'later', reason: told(error).message } };
}

/** Gives every question the same answer. */
export function always(answer: Answer, how: Answered['val']['how'] = 'prompt'): Ask {
  return ({ tag }) => {
    const { val } = answered(tag, answer);
    return Promise.resolve({ tag, val: { ...val, how, wasShown: false } });
  };
}

/** The driver's access to an open sandbox. */
export interface Driven {
  kept: Pick<Kept, 'isLocked' | 'ready'>;
  clock: Clock;
  /** Called after each turn. */
  after(): void;
  /**
   * Converts an error. If the Worker cannot continue after it, the client hears of it at once.
   */
  judge(error: unknown, request: number): { error: unknown; isLost: boolean };
}

export class Driver {
  readonly #turns = new Turns();
  /** Calls in progress. */
  #open = 0;
  /** The call that keeps the sandbox locked between its turns. Ends when it unlocks the sandbox. */
  #holding: Holding | undefined;

  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** Queues work on a sandbox that is not a call. */
  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(work);
  }

  /**
   * Runs one turn: nothing else touches the sandbox meanwhile, and no message is read. While a call keeps the
   * sandbox locked, as a push does that is on its way, the turns of others wait.
   */
  turn<T>(driven: Driven, context: Context, work: () => T, blobs = 0): Promise<T> {
    return this.#turn(driven, context, work, { blobs });
  }

  async #turn<T>(driven: Driven, context: Context, work: () => T, { blobs = 0, mine }: Manner): Promise<T> {
    for (;;) {
      const held = this.#holding;
      if (held && held !== mine) await unlessOff(held.end, context.signal);
      // Between its place in the queue and its turn, a call before it may have locked the sandbox.
      const made = await this.#turns.take(async () => {
        if (this.#holding && this.#holding !== mine) return undefined;
        await driven.kept.ready(blobs);
        try {
          return { result: driven.clock.during(context.id, work) };
        } catch (thrown) {
          const { error, isLost } = driven.judge(thrown, context.id);
          if (isLost) this.#turns.end();
          throw error;
        } finally {
          if (mine && driven.kept.isLocked) this.#holding = mine;
          driven.after();
        }
      });
      if (made) return made.result;
    }
  }

  /** Makes a call from beginning to end. */
  async drive(driven: Driven, context: Context, make: () => ShimRun, ask: Ask, blobs = 0): Promise<ShimReply> {
    this.#open += 1;
    const mine = holding();
    let made: ShimRun | undefined;
    try {
      const begin = (): [ShimRun, ReturnType<ShimRun['advance']>] => {
        if (context.signal.aborted) throw calledOff();
        made = make();
        return [made, made.advance()];
      };
      let [run, turn] = await this.#turn(driven, context, begin, { blobs, mine });
      while ('need' in turn) {
        this.#unlessLocked(driven, mine);
        const given = await perform(turn.need, context, ask);
        const next = (): ReturnType<ShimRun['advance']> => {
          run.give(given);
          return run.advance();
        };
        turn = await this.#turn(driven, context, next, { mine });
      }
      if (turn.done.tag === 'error' && turn.done.val.kind === 'timeout' && driven.clock.isOff(context.id)) {
        throw calledOff();
      }
      return turn.done;
    } finally {
      this.#open -= 1;
      const { isLocked } = driven.kept;
      // Freeing after a trap of the shim would trap again, and the Worker ends anyway.
      if (made) free(made, driven, context);
      this.#unlessLocked(driven, mine);
      // Events that were held back by the lock.
      if (isLocked) driven.after();
    }
  }

  /** Lets the others go on once the call has unlocked the sandbox. */
  #unlessLocked({ kept }: Driven, mine: Holding): void {
    if (this.#holding !== mine || kept.isLocked) return;
    this.#holding = undefined;
    mine.release();
  }
}

interface Manner {
  blobs?: number;
  /** What makes its call the one that holds the sandbox, if it locks it. */
  mine?: Holding;
}

interface Holding {
  end: Promise<void>;
  release(): void;
}

function holding(): Holding {
  let release = (): void => undefined;
  const end = new Promise<void>((resolve) => (release = resolve));
  return { end, release };
}

/** Waits for `end`, and no longer than the caller does. */
async function unlessOff(end: Promise<void>, signal: AbortSignal): Promise<void> {
  const left = new AbortController();
  const off = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(calledOff());
    signal.addEventListener('abort', () => reject(calledOff()), { signal: left.signal });
  });
  try {
    await Promise.race([end, off]);
  } finally {
    left.abort();
  }
}

function free(run: ShimRun, driven: Driven, context: Context): void {
  try {
    run.free();
  } catch (error) {
    driven.judge(error, context.id);
  }
}

/** Performs a call's need. */
async function perform(need: ShimNeed, context: Context, ask: Ask): Promise<ShimGiven> {
  switch (need.tag) {
    case 'call':
    case 'push':
      // If the question is cancelled, this call ends here. The host's record keeps waiting: the person may
      // still decide, and the agent repeat the call.
      return ask(need);
    case 'sleep':
      return elsewhere(need, context, () => ({ tag: 'sleep' }));
    case 'http':
      return elsewhere(need, context, (given) => {
        if (given.tag === 'http') return given;
        throw new GitgateError('usage', 'the answer is to another question');
      });
  }
}

/** Lets the client perform it. A failure ends the call, in the host's words. */
async function elsewhere(
  need: Need & { tag: 'http' | 'sleep' },
  context: Context,
  as: (given: Given) => ShimGiven,
): Promise<ShimGiven> {
  try {
    return as(await context.need(need));
  } catch (error) {
    // The server may have acted on a request that a vanished tab sent.
    const isOpen = need.tag === 'http' && need.val.moves && told(error).kind === 'lost';
    return isOpen ? { tag: 'http', val: { tag: 'lost' } } : { tag: 'failed', val: error };
  }
}
