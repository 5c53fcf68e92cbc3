import { signal } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { sentence } from './sentence.js';

interface Toast {
  id: number;
  kind: 'note' | 'error';
  message: string;
  hint: string;
  retry: (() => void) | undefined;
}

export const toasts = signal<Toast[]>([]);
let last = 0;

function show(kind: Toast['kind'], said: string, hint = '', retry?: () => void): void {
  const message = sentence(said);
  last += 1;
  const id = last;
  // What goes wrong again and again stands there once.
  const others = toasts.value.filter((one) => one.kind !== kind || one.message !== message || one.hint !== hint);
  toasts.value = [...others.slice(-3), { id, kind, message, hint, retry }];
  // An error stays until it is read.
  if (kind === 'note') setTimeout(() => dismiss(id), 6000);
}

export const note = (message: string): void => show('note', message);
export const dismiss = (id: number): void => void (toasts.value = toasts.value.filter((one) => one.id !== id));

export interface Problem {
  message: string;
  hint: string;
}

export function problem(error: unknown): Problem {
  if (error instanceof GitgateError) return { message: sentence(error.message), hint: sentence(error.hint) };
  return { message: String(error), hint: 'Reload the page' };
}

export function fail(error: unknown, retry?: () => void): void {
  const { message, hint } = problem(error);
  show('error', message, hint, retry);
}

/** Does something that a person asked for, and shows what goes wrong. */
export function attempt(work: () => Promise<void>): void {
  work().catch((error: unknown) => fail(error, () => attempt(work)));
}
