// What this tab's calls ask the person right now, and what became of what they decided.

import { signal } from '@preact/signals';
import type { Answer, Exported, Question, Reply } from 'gitgate';

interface Live {
  question: Question;
  answer: (answer: Answer) => void;
}

export const live = signal<Live | undefined>(undefined);

/** How the push that was reviewed last has ended. */
export const ended = signal<{ reply: Reply | Exported; target: string } | undefined>(undefined);

export function person(question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  ended.value = undefined;
  return new Promise((resolve) => {
    const one: Live = {
      question,
      answer: (answer) => {
        if (live.value === one) live.value = undefined;
        resolve(answer);
      },
    };
    live.value = one;
    signal.addEventListener('abort', () => {
      if (live.value === one) live.value = undefined;
      resolve(undefined);
    });
  });
}
