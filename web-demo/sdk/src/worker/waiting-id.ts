// Finds the waiting call of a question. The host stores an agent's call before it asks a person, but does
// not report the id.

import type { Kept } from '../storage/index.js';
import type { ShimCall, ShimRun, ShimSandbox } from './shim.js';

const ENDING = '.json';

export class WaitingId {
  readonly #sandbox: () => ShimSandbox;
  readonly #kept: () => Kept;
  readonly #call: ShimCall;
  #id: string | null = null;

  constructor(sandbox: () => ShimSandbox, kept: () => Kept, call: ShimCall) {
    this.#sandbox = sandbox;
    this.#kept = kept;
    this.#call = call;
  }

  /** The id for the latest question. A user's call does not wait, and has none. */
  get latest(): string | null {
    return this.#id;
  }

  /** The same run, with its questions observed. Nothing else happens during a turn of it. */
  watch(run: ShimRun): ShimRun {
    if (this.#call.caller === 'user') return run;
    return {
      advance: () => {
        const before = new Set(this.#ids());
        const turn = run.advance();
        const isAsked = 'need' in turn && (turn.need.tag === 'call' || turn.need.tag === 'push');
        if (isAsked) this.#id = this.#find(before);
        return turn;
      },
      give: (given) => run.give(given),
      free: () => run.free(),
    };
  }

  #ids(): string[] {
    return this.#kept()
      .records('waiting')
      .filter((key) => key.endsWith(ENDING))
      .map((key) => key.slice(0, -ENDING.length));
  }

  /** A call with equal arguments waits once. A call with an edited push may wait beside others. */
  #find(before: Set<string>): string | null {
    const now = this.#ids();
    const added = now.find((id) => !before.has(id));
    if (added !== undefined) return added;
    if (this.#id !== null && now.includes(this.#id)) return this.#id;
    const { tool, arguments: text } = this.#call;
    const same = this.#sandbox()
      .waiting()
      .find((one) => one.tool === tool && one.arguments === text);
    return same?.id ?? null;
  }
}
