import { signal } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { sentence } from './sentence.js';
import { words } from './words.js';

/** What a message is about, if it is over with that. */
type About = 'push';

interface Toast {
  id: number;
  kind: 'note' | 'error';
  message: string;
  hint: string;
  retry: (() => void) | undefined;
  about: About | undefined;
}

export const toasts = signal<Toast[]>([]);
let last = 0;

function show(kind: Toast['kind'], said: string, hint = '', retry?: () => void, about?: About): void {
  const message = sentence(said);
  last += 1;
  const id = last;
  // What goes wrong again and again stands there once.
  const others = toasts.value.filter((one) => one.kind !== kind || one.message !== message || one.hint !== hint);
  toasts.value = [...others.slice(-3), { id, kind, message, hint, retry, about }];
  // An error stays until it is read, or until what it is about is over.
  if (kind === 'note') setTimeout(() => dismiss(id), 6000);
}

export const note = (message: string): void => show('note', message);
export const dismiss = (id: number): void => void (toasts.value = toasts.value.filter((one) => one.id !== id));

/** What went wrong with it before is of no account any more. */
export function settle(about: About): void {
  const all = toasts.peek();
  const others = all.filter((one) => one.about !== about);
  if (others.length < all.length) toasts.value = others;
}

export interface Problem {
  message: string;
  hint: string;
}

/** `api` is the address of GitHub's API, where that is not GitHub's own. */
export function problem(error: unknown, api?: string): Problem {
  if (error instanceof GitgateError) {
    const { message, hint } = words(error, api);
    return { message: sentence(message), hint: sentence(hint) };
  }
  return { message: String(error), hint: 'Reload the page' };
}

export function fail(error: unknown, retry?: () => void, about?: About): void {
  const { message, hint } = problem(error);
  show('error', message, hint, retry, about);
}

/** Does something that a person asked for, and shows what goes wrong. */
export function attempt(work: () => Promise<void>, about?: About): void {
  work().catch((error: unknown) => fail(error, () => attempt(work, about), about));
}
