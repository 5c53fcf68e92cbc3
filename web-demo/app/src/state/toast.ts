import { signal } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { sentence } from './sentence.js';
import { words } from './words.js';
import type { Next } from './words.js';

/** The subject of a message that ends with its subject. */
type About = 'push';

export interface Toast {
  id: number;
  kind: 'note' | 'error';
  message: string;
  hint: string;
  next: Next | undefined;
  retry: (() => void) | undefined;
  about: About | undefined;
}

/** More would leave too little of the page. */
const MOST = 3;

export const toasts = signal<Toast[]>([]);
let last = 0;

/** An error stays while there is room; a note gives way. */
function withRoom(all: Toast[]): Toast[] {
  if (all.length < MOST) return all;
  const out = all.find(({ kind }) => kind === 'note') ?? all[0];
  return withRoom(all.filter((one) => one !== out));
}

function show({ message: said, ...rest }: Omit<Toast, 'id'>): void {
  const message = sentence(said);
  last += 1;
  // A repeated error appears once.
  const others = toasts.value.filter(
    (one) => one.kind !== rest.kind || one.message !== message || one.hint !== rest.hint,
  );
  toasts.value = [...withRoom(others), { id: last, message, ...rest }];
}

export const note = (message: string, next?: Next): void =>
  show({ kind: 'note', message, hint: '', next, retry: undefined, about: undefined });
export const dismiss = (id: number): void => void (toasts.value = toasts.value.filter((one) => one.id !== id));

/** Earlier errors of it do not matter any more. */
export function settle(about: About): void {
  const all = toasts.peek();
  const others = all.filter((one) => one.about !== about);
  if (others.length < all.length) toasts.value = others;
}

export interface Problem {
  message: string;
  hint: string;
  /** A link to continue from. */
  next?: Next | undefined;
}

/** `api` is the base URL of GitHub's API, if it is not GitHub's own. */
export function problem(error: unknown, api?: string): Problem {
  if (error instanceof GitgateError) {
    const { message, hint, next } = words(error, api);
    return { message: sentence(message), hint: sentence(hint), next };
  }
  return { message: String(error), hint: 'Reload the page' };
}

export function fail(error: unknown, retry?: () => void, about?: About): void {
  const { message, hint, next } = problem(error);
  show({ kind: 'error', message, hint, next, retry, about });
}

/** Performs a person's action, and shows errors. */
export function attempt(work: () => Promise<void>, about?: About): void {
  work().catch((error: unknown) => fail(error, () => attempt(work, about), about));
}
