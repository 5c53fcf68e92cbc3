// Tokens for GitHub, in memory of this page, or until the tab closes.

import { signal } from '@preact/signals';

import { ask } from './dialog.js';
import { session } from './kept.js';
import { note } from './toast.js';

const KEY = 'gitgate.token:';
const tokens = signal(new Map<string, string>());

export const token = (name: string): string | undefined =>
  tokens.value.get(name) ?? session.getItem(KEY + name) ?? undefined;

export function setToken(name: string, value: string, isKept: boolean): void {
  tokens.value = new Map(tokens.value).set(name, value);
  if (isKept) session.setItem(KEY + name, value);
  else session.removeItem(KEY + name);
}

/** Another sandbox of that name must not get this token, because it may use another server. */
export function forgetToken(name: string): void {
  const others = new Map(tokens.value);
  others.delete(name);
  tokens.value = others;
  session.removeItem(KEY + name);
}

/** A reloaded page has forgotten the token. Returns whether there is one now. */
export async function askToken(name: string): Promise<boolean> {
  const field = { label: 'Token', value: '', isSecret: true, isRequired: true };
  const body =
    'Fine-grained, with read and write of contents. It stays in memory of this page, and goes to GitHub only.';
  const value = await ask({ title: 'Token for GitHub', body, action: 'Use it', field });
  if (value === undefined) return false;
  setToken(name, value.trim(), false);
  note('The token is used from now on.');
  return true;
}
