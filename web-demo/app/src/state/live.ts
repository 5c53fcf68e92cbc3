// What this tab's calls ask the person right now, and what became of what they decided.

import { computed, signal } from '@preact/signals';
import type { Answer, Exported, Question, Reply } from 'gitgate';

import { EXPORTS } from '../screens/review/model.js';
import type { Destination } from './destination.js';
import { find } from './requests.js';
import type { Held } from './requests.js';

interface Live {
  sandbox: string;
  question: Question;
  /** What the page itself asks for. An agent's call waits in its sandbox instead. */
  held: Held | undefined;
  answer: (answer: Answer) => void;
}

/** What is asked now, the first first. */
export const asked = signal<Live[]>([]);

/** What is on the screen. Another one that comes meanwhile waits until this is answered. */
export const live = computed<Live | undefined>(() => asked.value[0]);

/** Who asks: the agent's script, one call after the other, or a request of the page itself. */
export const sourceOf = ({ held }: Live): string =>
  held && held.request.to !== 'hand_over' ? held.request.key : SCRIPT;

/** The source that is no request. */
export const SCRIPT = 'script';

/** What the person has answered last, until its end, or until the same source asks on. */
export const answered = signal<{ what: string; source: string } | undefined>(undefined);

interface Ended {
  reply: Reply | Exported;
  target: string;
  /** The bundle that was downloaded, if there is one. */
  file?: string | undefined;
  /** Where the person sent it, if not where its branch came from. */
  where?: Destination | undefined;
}

/** How the push that was reviewed last has ended. */
export const ended = signal<Ended | undefined>(undefined);

function heldOf(sandbox: string, question: Question): Held | undefined {
  if (question.id !== null || question.about !== 'push') return undefined;
  return find(sandbox, question.push.push?.target.startsWith(EXPORTS) === true);
}

/** Asks about a call in the sandbox. */
export function person(sandbox: string, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  // It may have been called off while it came.
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
    // What comes of an answer, such as a revision, is before what waits already.
    const goesOn = sourceOf(one) === answered.peek()?.source;
    asked.value = goesOn ? [one, ...asked.value] : [...asked.value, one];
    signal.addEventListener('abort', () => end(undefined));
  });
}
