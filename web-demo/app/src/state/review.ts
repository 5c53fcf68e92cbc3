// The review that is on the screen: who asks, and what becomes of the answer.

import { computed, effect, signal } from '@preact/signals';
import type { Answer, PushQuestion, Question } from 'gitgate';

import { ReviewModel } from '../screens/review/model.js';
import { session } from './kept.js';
import { ended, live } from './live.js';
import { changed, need } from './session.js';
import { fail, problem } from './toast.js';
import type { Problem } from './toast.js';

/** A waiting call that is reviewed, by its id. Without one, it is what is asked live. */
export const reviewed = signal<string | undefined>(undefined);
const fetched = signal<Question | undefined>(undefined);
export const reviewProblem = signal<Problem | undefined>(undefined);
export const busy = signal<string | undefined>(undefined);

export const question = computed(() => (reviewed.value ? fetched.value : live.value?.question));
const asked = computed<PushQuestion | undefined>(() =>
  question.value?.about === 'push' ? question.value.push : undefined,
);

const MARKS = 'gitgate.reviewed';
const marks = signal(new Set((session.getItem(MARKS) ?? '').split('\n').filter(Boolean)));
effect(() => session.setItem(MARKS, [...marks.value].join('\n')));

export const model = new ReviewModel(asked, marks);

// A question about a call has no digest by which the model would notice another one.
effect(() => {
  if (question.value?.about === 'call') model.remember.value = false;
});

export async function fetchReview(id: string | undefined): Promise<void> {
  reviewed.value = id;
  reviewProblem.value = undefined;
  if (!id) return;
  fetched.value = undefined;
  ended.value = undefined;
  busy.value = 'Preparing the review';
  try {
    const found = await need().review(id);
    if (reviewed.value === id) fetched.value = found;
  } catch (error) {
    if (reviewed.value === id) reviewProblem.value = problem(error);
  } finally {
    busy.value = undefined;
  }
}

export async function answer(given: Answer, what: string): Promise<void> {
  const id = reviewed.value;
  busy.value = what;
  if (!id) return live.value?.answer(given);
  try {
    const target = asked.value?.push?.target ?? '';
    const reply = await need().decide(id, given);
    if (given.say === 'revise' && reply?.outcome !== 'failed') return await fetchReview(id);
    if (reply) ended.value = { reply, target };
    fetched.value = undefined;
  } catch (error) {
    fail(error);
  } finally {
    busy.value = undefined;
    changed.value += 1;
  }
}

// A question, or an end, is what the answer has led to.
effect(() => {
  if (live.value || ended.value) busy.value = undefined;
});

export const revise = (): Promise<void> => answer({ say: 'revise', revision: model.revision() }, 'Revising the push');

export function approve(): Promise<void> {
  const wanted = asked.value?.push?.digest;
  const offer = question.value?.about === 'call' ? question.value.call.offer : asked.value?.offer;
  const remember = offer && model.remember.value ? { remember: true } : {};
  const what = question.value?.about === 'call' ? 'Approving' : 'Sending the push';
  return answer({ say: 'approve', ...(wanted && { digest: wanted }), ...remember }, what);
}
