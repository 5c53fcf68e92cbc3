// What this tab's calls ask the person right now, and what became of what they decided.

import { computed, signal } from '@preact/signals';
import type { Answer, Exported, Question, Reply } from 'gitgate';

interface Live {
  question: Question;
  answer: (answer: Answer) => void;
}

/** What is asked now, the first first. */
export const asked = signal<Live[]>([]);

/** What is on the screen. Another one that comes meanwhile waits until this is answered. */
export const live = computed<Live | undefined>(() => asked.value[0]);

/** How the push that was reviewed last has ended. */
export const ended = signal<{ reply: Reply | Exported; target: string } | undefined>(undefined);

export function person(question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  // It may have been called off while it came.
  if (signal.aborted) return Promise.resolve(undefined);
  ended.value = undefined;
  return new Promise((resolve) => {
    const end = (answer: Answer | undefined): void => {
      asked.value = asked.value.filter((other) => other !== one);
      resolve(answer);
    };
    const one: Live = { question, answer: end };
    asked.value = [...asked.value, one];
    signal.addEventListener('abort', () => end(undefined));
  });
}
