// The review that is on the screen: what is asked, what the person has seen of it, and what they
// would leave out.

import { computed, effect, signal } from '@preact/signals';
import type { Answer, FileChange, Patch, PushQuestion, Question, Risk } from 'gitgate';

import { ended, live } from './live.js';
import { refresh } from './repo.js';
import { changed, need } from './session.js';
import { fail, problem } from './toast.js';
import type { Problem } from './toast.js';

export interface ReviewFile {
  change: FileChange;
  patch: Patch;
  risks: Risk[];
  /** The same as long as its change is the same. */
  key: string;
}

/** A waiting call that is reviewed, by its id. Without one, it is what is asked live. */
export const reviewed = signal<string | undefined>(undefined);
const fetched = signal<Question | undefined>(undefined);
export const reviewProblem = signal<Problem | undefined>(undefined);
export const busy = signal<string | undefined>(undefined);

export const question = computed(() => (reviewed.value ? fetched.value : live.value?.question));
export const asked = computed<PushQuestion | undefined>(() =>
  question.value?.about === 'push' ? question.value.push : undefined,
);

function risksOf(asked: PushQuestion, shown: string, isOnlyFile: boolean): Risk[] {
  const flags = asked.push?.review.flags ?? [];
  return (asked.risks ?? []).filter((_, at) => {
    const flag = flags[at];
    const named = flag?.path ?? flag?.place;
    if (typeof named !== 'string') return isOnlyFile;
    return named === shown || named === `the name ${shown}`;
  });
}

export const files = computed<ReviewFile[]>(() => {
  const one = asked.value;
  return (one?.push?.review.files ?? []).map((change, at) => {
    const patch = one?.patches?.[at] ?? { path: change.path, head: '', hunks: [] };
    const key = [change.path, change.old?.id, change.old?.mode, change.new?.id, change.new?.mode].join(' ');
    return { change, patch, risks: one ? risksOf(one, patch.path, false) : [], key };
  });
});

export const risks = computed(() => asked.value?.risks ?? []);
export const highFiles = computed(() => files.value.filter((file) => file.risks.some((risk) => risk.severity === 'high')));

const MARKS = 'gitgate.reviewed';
const kept = (): string[] => (sessionStorage.getItem(MARKS) ?? '').split('\n').filter(Boolean);
export const marks = signal(new Set(kept()));
effect(() => sessionStorage.setItem(MARKS, [...marks.value].join('\n')));

export const opened = signal(new Set<string>());
export const selected = signal(0);
export const file = computed(() => files.value[selected.value]);
/** What is left out: whole files, and hunks by their number. */
export const out = signal(new Map<string, 'all' | Set<number>>());
export const message = signal<string | undefined>(undefined);

export const isRevised = computed(() => out.value.size > 0 || message.value !== undefined);
export const unopened = computed(() => highFiles.value.filter(({ key }) => !opened.value.has(key)));
export const isProtected = computed(() =>
  (asked.value?.push?.review.flags ?? []).some(({ flag }) => flag === 'protected-branch'),
);

// Another push begins anew, but what has been seen of the same changes stays seen.
let digest: string | undefined;
effect(() => {
  const now = asked.value?.push?.digest;
  if (now === undefined || now === digest) return;
  digest = now;
  out.value = new Map();
  message.value = undefined;
  selected.value = 0;
});

export function select(at: number): void {
  const found = files.value[at];
  if (!found) return;
  selected.value = at;
  opened.value = new Set(opened.value).add(found.key);
}

export function toggleMark(at = selected.value): void {
  const found = files.value[at];
  if (!found) return;
  const now = new Set(marks.value);
  if (!now.delete(found.key)) now.add(found.key);
  marks.value = now;
}

export function toggleFile(path: string): void {
  const now = new Map(out.value);
  if (now.get(path) === 'all') now.delete(path);
  else now.set(path, 'all');
  out.value = now;
}

/** Hunks are counted from 1. */
export function toggleHunk(path: string, hunk: number): void {
  const now = new Map(out.value);
  const before = now.get(path);
  const hunks = new Set(before === 'all' ? [] : before);
  if (!hunks.delete(hunk)) hunks.add(hunk);
  if (hunks.size === 0) now.delete(path);
  else now.set(path, hunks);
  out.value = now;
}

export async function fetchReview(id: string | undefined): Promise<void> {
  reviewed.value = id;
  reviewProblem.value = undefined;
  if (!id) return;
  fetched.value = undefined;
  try {
    fetched.value = await need().review(id);
  } catch (error) {
    reviewProblem.value = problem(error);
  }
}

export async function answer(given: Answer, what: string): Promise<void> {
  const id = reviewed.value;
  if (!id) {
    busy.value = what;
    return live.value?.answer(given);
  }
  busy.value = what;
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
    await refresh();
  }
}

// A question, or an end, is what the answer has led to.
effect(() => {
  if (live.value || ended.value) busy.value = undefined;
});

export function revise(): Promise<void> {
  const leaveOut = [...out.value].map(([path, what]) =>
    what === 'all' ? { path } : { path, hunks: [...what].sort((a, b) => a - b) },
  );
  const revision = { ...(leaveOut.length > 0 && { leaveOut }), ...(message.value !== undefined && { message: message.value }) };
  return answer({ say: 'revise', revision }, 'Revising the push');
}

export function approve(): Promise<void> {
  const wanted = asked.value?.push?.digest;
  return answer(wanted ? { say: 'approve', digest: wanted } : { say: 'approve' }, 'Sending the push');
}
