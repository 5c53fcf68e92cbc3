// A person's preferences in this browser.

import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

import { local } from './kept.js';

function kept<T extends string>(key: string, values: readonly T[], first: T): Signal<T> {
  const found = local.getItem(`gitgate.${key}`);
  const one = signal<T>(values.find((value) => value === found) ?? first);
  effect(() => local.setItem(`gitgate.${key}`, one.value));
  return one;
}

export const theme = kept('theme', ['system', 'light', 'dark'], 'system');
export const layout = kept('diff', ['split', 'unified'], 'split');
export const identity = signal(local.getItem('gitgate.identity') ?? '');

effect(() => void (document.documentElement.dataset.theme = theme.value));
effect(() => local.setItem('gitgate.identity', identity.value));

export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
}

export const toggleLayout = (): void => void (layout.value = layout.value === 'split' ? 'unified' : 'split');
