// Performs a call's needs in this tab: a person's answer, a request to a server, or a delay.

import { calledOff } from '../error.js';
import type { Given, Need } from '../protocol.js';
import type { Answer, Question } from '../question.js';
import { whenOff } from '../off.js';
import type { Sender } from './send.js';

/**
 * Answers a question, or returns nothing, which leaves the call waiting. `signal` fires when nobody waits
 * for the answer any more.
 */
export type Asked = (question: Question, signal: AbortSignal) => Answer | undefined | Promise<Answer | undefined>;

export class Needs {
  readonly #http: Sender;
  /** The handlers of questions. */
  person: Asked | undefined;

  constructor(http: Sender) {
    this.#http = http;
  }

  readonly perform = async (need: Need, signal: AbortSignal): Promise<Given> => {
    if (need.tag === 'http') return { tag: 'http', val: await this.#http.send(need.val, signal) };
    if (need.tag === 'sleep') {
      await sleep(need.val, signal);
      return { tag: 'sleep' };
    }
    if (!this.person) return { tag: 'question', val: { say: 'later', reason: 'nobody is there to ask' } };
    const answer = await Promise.race([this.person(need.val, signal), whenOff(signal)]);
    // An answer after the end of the wait does not count.
    if (signal.aborted) throw calledOff();
    return { tag: 'question', val: answer ?? { say: 'later' } };
  };
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, milliseconds))), whenOff(signal)]);
  } finally {
    clearTimeout(timer);
  }
}
