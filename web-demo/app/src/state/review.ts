// The visible review: its source, and the effect of the answer.

import { batch, computed, effect, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { About, Answer, PushQuestion, Question } from 'gitgate';

import { ReviewModel, identity } from '../screens/review/model.js';
import { running } from './agent.js';
import { session } from './kept.js';
import { choosing, slug } from './destination.js';
import { forgetSubject, isAnother, keeper } from './kept-review.js';
import { SCRIPT, answered, ended, live, sourceOf } from './live.js';
import { place } from './place.js';
import { pushing } from './push.js';
import { branch } from './repo.js';
import { currentName } from './route.js';
import { changed, need, waiting } from './session.js';
import { attempt, fail, note, problem } from './toast.js';
import type { Problem } from './toast.js';

/** The id of the waiting call under review. Without one, the review is about the live question. */
export const reviewed = signal<string | undefined>(undefined);
const fetched = signal<Question | undefined>(undefined);
export const reviewProblem = signal<Problem | undefined>(undefined);
/** The running action on a waiting call, and the one on the live question. */
const own = signal<string | undefined>(undefined);
export const busy = computed(() => own.value ?? (reviewed.value ? undefined : answered.value?.what));

/**
 * Nothing replaces an answered question before its outcome arrives, nor before the person has closed the
 * outcome.
 */
export const question = computed(() => {
  if (reviewed.value) return fetched.value;
  return ended.value || answered.value ? undefined : live.value?.question;
});
const asked = computed<PushQuestion | undefined>(() =>
  question.value?.about === 'push' ? question.value.push : undefined,
);

const MARKS = 'gitgate.reviewed';
const marks = signal(new Set((session.getItem(MARKS) ?? '').split('\n').filter(Boolean)));
effect(() => session.setItem(MARKS, [...marks.value].join('\n')));

/** The push that comments are about. */
const about = computed<About | undefined>(() => {
  const push = asked.value?.push;
  if (!push) return undefined;
  return { id: question.value?.id ?? null, target: push.target, reference: push.review.reference };
});

/** Keeps something about the push on the screen, and shows all that is kept then. Returns whether it is kept. */
async function keeping(work: (about: About) => Promise<unknown>): Promise<boolean> {
  const { value: mine } = about;
  if (!mine) return false;
  try {
    await work(mine);
  } catch (error) {
    fail(error);
    return false;
  }
  attempt(() => reread(mine));
  return true;
}

/** Counts what was read, because an answer may come after a later one. */
let reads = 0;

async function reread(mine: About): Promise<void> {
  reads += 1;
  const read = reads;
  const comments = await need().comments(mine);
  if (about.peek() === mine && read === reads) model.noted.set(comments);
}

export const model = new ReviewModel(asked, marks, keeper, {
  comment: (draft) => keeping((about) => need().comment(about, draft)),
  change: (id, change) => void keeping((about) => need().changeComment(about, id, change)),
  look: (looks) => {
    const { value: mine } = about;
    if (mine) attempt(() => need().markSeen(mine, looks));
  },
});

// Another person may have said something.
effect(() => {
  const { value: mine } = about;
  // A decision that is under way takes the call, and with it the place of the comments.
  if (changed.value === 0 || !mine || !model.canComment.peek() || own.peek()) return;
  attempt(() => reread(mine));
});

/** The subject of the review, across revisions: a waiting call, or a request of the page. */
const subject = computed(() => question.value?.id ?? live.value?.held?.request.key);
/** Whether the push differs from the one that the person started to review. */
export const isAnew = signal(false);
effect(() => {
  const now = identity(asked.value);
  isAnew.value = now !== undefined && subject.value !== undefined && isAnother(subject.value, now);
});

/** Whether no sandbox stores it: this tab stores the page's own requests. */
export const isHereOnly = computed(() => question.value?.id === null);

/** Whether it is the person's own push, so that they decide its destination. */
export const isOwn = computed(() => isHereOnly.value && pushing.value !== undefined && !model.isBundle.value);

export function changeDestination(): void {
  const push = asked.value?.push;
  if (!push || busy.value) return;
  const [subject = ''] = (push.review.commits.at(-1)?.message ?? '').split('\n');
  const own = branch.value || push.branch;
  const fresh = push.branch === own ? slug(subject) || slug(need().name) : push.branch;
  choosing.value = { target: push.target, branch: own, fresh, isAsked: true };
}

/** Whether GitHub requires a token for it, and there is none. */
export const needsToken = computed(
  () => asked.value?.push?.target.startsWith('github:') === true && !place.value.hasToken(currentName.value ?? ''),
);

// A rule is saved only with the question in which it was ticked.
effect(() => {
  question.value;
  model.remember.value = false;
});

/** Identifies the current action. The results of earlier ones are dropped. */
let latest = Symbol();

export async function fetchReview(id: string | undefined): Promise<void> {
  const mine = Symbol();
  latest = mine;
  reviewed.value = id;
  reviewProblem.value = undefined;
  fetched.value = undefined;
  own.value = undefined;
  if (!id) return;
  ended.value = undefined;
  own.value = 'Preparing the review';
  try {
    const found = await need().review(id);
    if (latest === mine) fetched.value = found;
  } catch (error) {
    if (latest === mine) reviewProblem.value = problem(error);
  } finally {
    if (latest === mine) own.value = undefined;
  }
}

/** Returns whether the answer was accepted. If not, the person has seen the reason. */
export async function answer(given: Answer, what: string): Promise<boolean> {
  const id = reviewed.value;
  // The person made the revision, so it is no surprise.
  if (given.say === 'revise' && subject.value !== undefined) forgetSubject(subject.value);
  if (!id) {
    if (!live.value || !question.value) return false;
    const one = live.value;
    batch(() => {
      answered.value = { what, source: sourceOf(one) };
      one.answer(given);
    });
    return true;
  }
  const mine = latest;
  const about = asked.value && 'push';
  own.value = what;
  try {
    const target = asked.value?.push?.target ?? '';
    const reply = await need().decide(id, given);
    if (latest !== mine) {
      // If another one is under review, its outcome is not shown, except for a failure.
      if (given.say !== 'reject' && reply?.outcome === 'failed')
        fail(new GitgateError(reply.kind, reply.message, reply.hint), undefined, about);
      return true;
    }
    if (given.say === 'revise' && reply?.outcome !== 'failed') {
      await fetchReview(id);
      return true;
    }
    if (reply) ended.value = { reply, target };
    fetched.value = undefined;
    return true;
  } catch (error) {
    fail(error, undefined, about);
    return false;
  } finally {
    if (latest === mine) own.value = undefined;
    changed.value += 1;
  }
}

// An answer to a live question is done when the same source asks again, at its outcome, and when nobody
// works on it.
effect(() => {
  const { source } = answered.value ?? {};
  if (source === undefined) return;
  const goesOn = live.value !== undefined && sourceOf(live.value) === source;
  const isWorking = (source === SCRIPT ? running.value : pushing.value) !== undefined;
  if (goesOn || ended.value || !isWorking) answered.value = undefined;
});

effect(() => {
  const id = reviewed.value;
  if (!id || own.value || !fetched.value || waiting.value.some((one) => one.id === id)) return;
  fetched.value = undefined;
  note('It was decided elsewhere. The audit log says how.');
});

export async function revise(): Promise<void> {
  await answer({ say: 'revise', revision: model.revision() }, 'Revising the push');
}

export async function approve(): Promise<void> {
  const digest = asked.value?.push?.digest;
  const offer = question.value?.about === 'call' ? question.value.call.offer : asked.value?.offer;
  const remember = offer && model.remember.value ? { remember: true } : {};
  if (digest) await answer({ say: 'approve', digest, ...remember }, 'Sending the push');
  else await answer({ say: 'approve', ...remember }, 'Approving');
}
