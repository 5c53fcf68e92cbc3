// What this tab's calls ask the person right now, and what became of what they decided.

import { computed, effect, signal } from '@preact/signals';
import type { Answer, Exported, Question, Reply } from 'gitgate';

import type { Destination } from './destination.js';
import { session } from './kept.js';

interface Live {
  sandbox: string;
  question: Question;
  answer: (answer: Answer) => void;
}

/** What is asked now, the first first. */
export const asked = signal<Live[]>([]);

/** What is on the screen. Another one that comes meanwhile waits until this is answered. */
export const live = computed<Live | undefined>(() => asked.value[0]);

const KEY = 'gitgate.asked';
/** The sandbox whose question has ended with the page that was here before. */
export const lost = signal(session.getItem(KEY) ?? undefined);
effect(() => {
  // An agent's call waits in its sandbox. What the page itself asks for waits nowhere.
  const own = asked.value.find(({ question }) => question.id === null);
  if (own) session.setItem(KEY, own.sandbox);
  else session.removeItem(KEY);
});

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

/** Asks about a call in the sandbox. */
export function person(sandbox: string, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  // It may have been called off while it came.
  if (signal.aborted) return Promise.resolve(undefined);
  ended.value = undefined;
  if (lost.value === sandbox) lost.value = undefined;
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined): void => {
      asked.value = asked.value.filter((other) => other !== one);
      resolve(answer);
    };
    const one: Live = { sandbox, question, answer: end };
    asked.value = [...asked.value, one];
    signal.addEventListener('abort', () => end(undefined));
  });
}
