// The questions that this tab's calls ask right now, and the outcomes of the answers.

import { computed, signal } from '@preact/signals';
import type { Answer, Exported, Question, Reply } from 'gitgate';

import { EXPORTS } from '../screens/review/model.js';
import type { Destination } from './destination.js';
import { find } from './requests.js';
import type { Held } from './requests.js';

interface Live {
  sandbox: string;
  question: Question;
  /** The page's own request. An agent's call waits in its sandbox instead. */
  held: Held | undefined;
  answer: (answer: Answer) => void;
}

/** The open questions, oldest first. */
export const asked = signal<Live[]>([]);

/** The visible question. Another one waits until this is answered. */
export const live = computed<Live | undefined>(() => asked.value[0]);

/** The source of a question: the agent's script, with one call after the other, or a request of the page. */
export const sourceOf = ({ held }: Live): string =>
  held && held.request.to !== 'hand_over' ? held.request.key : SCRIPT;

/** The source that is not a request. */
export const SCRIPT = 'script';

/** The person's last answer, until its outcome, or until the same source asks again. */
export const answered = signal<{ what: string; source: string } | undefined>(undefined);

interface Ended {
  reply: Reply | Exported;
  target: string;
  /** The downloaded bundle, if there is one. */
  file?: string | undefined;
  /** The person's destination, if it is not the branch's origin. */
  where?: Destination | undefined;
}

/** The outcome of the last reviewed push. */
export const ended = signal<Ended | undefined>(undefined);

function heldOf(sandbox: string, question: Question): Held | undefined {
  if (question.id !== null || question.about !== 'push') return undefined;
  return find(sandbox, question.push.push?.target.startsWith(EXPORTS) === true);
}

/** Asks about a call in the sandbox. */
export function person(sandbox: string, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  // The call may have been cancelled on the way here.
  if (signal.aborted) return Promise.resolve(undefined);
  const held = heldOf(sandbox, question);
  held?.asked();
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined): void => {
      asked.value = asked.value.filter((other) => other !== one);
      if (held) held.isOpen = false;
      if (answer && answer.say !== 'revise') held?.answered();
      resolve(answer);
    };
    const one: Live = { sandbox, question, held, answer: end };
    // A question that results from an answer, such as a revision, comes before those that wait already.
    const goesOn = sourceOf(one) === answered.peek()?.source;
    asked.value = goesOn ? [one, ...asked.value] : [...asked.value, one];
    signal.addEventListener('abort', () => end(undefined));
  });
}
