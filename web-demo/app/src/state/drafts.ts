// Unsaved edits in files. They are in memory of this page, and after a moment in the tab's storage, which
// survives a reload or a crash.

import { computed, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Json } from 'gitgate';

import { rows, text } from './json.js';
import { session } from './kept.js';

const KEY = 'gitgate.drafts';
/** The longest delay from a key to the storage, in milliseconds. */
const SOON = 1000;

interface Draft {
  text: string;
  /** The file's text when the person started to type. */
  base: string;
}

type Drafts = ReadonlyMap<string, Signal<Draft>>;

/** By sandbox and path. The maps change when a draft appears or disappears, not with each key. */
const drafts = signal<ReadonlyMap<string, Drafts>>(found());

function found(): Map<string, Map<string, Signal<Draft>>> {
  const all = new Map<string, Map<string, Signal<Draft>>>();
  for (const one of rows(kept())) {
    const [name, path] = [text(one['name']), text(one['path'])];
    const draft = signal({ text: text(one['text']), base: text(one['base']) });
    all.set(name, (all.get(name) ?? new Map<string, Signal<Draft>>()).set(path, draft));
  }
  return all;
}

function kept(): Json {
  try {
    const found: Json = JSON.parse(session.getItem(KEY) ?? '[]');
    return found;
  } catch {
    // The value is not this page's.
    return [];
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

function keep(): void {
  clearTimeout(timer);
  timer = undefined;
  const all = [...drafts.value].flatMap(([name, some]) =>
    [...some].map(([path, { value }]) => ({ name, path, ...value })),
  );
  all.sort((a, b) => a.text.length + a.base.length - b.text.length - b.base.length);
  while (all.length > 0) {
    try {
      return session.setItem(KEY, JSON.stringify(all));
    } catch {
      // There is no room for the largest. It stays in memory, and the page asks before it is left.
      all.pop();
    }
  }
  session.removeItem(KEY);
}

const keepSoon = (): void => void (timer ??= setTimeout(keep, SOON));

const of = (name: string): Drafts => drafts.value.get(name) ?? new Map();

export const draft = (name: string, path: string): Draft | undefined => of(name).get(path)?.value;
export const unsaved = (name: string): string[] => [...of(name).keys()].sort();

function put(name: string, some: Drafts): void {
  const all = new Map(drafts.value);
  if (some.size > 0) all.set(name, some);
  else all.delete(name);
  drafts.value = all;
  keepSoon();
}

/** Stores the text typed over `shown`. A draft equal to the file is dropped. */
export function type(name: string, path: string, typed: string, shown: string): void {
  const known = of(name).get(path);
  const base = known?.peek().base ?? shown;
  if (typed === base) discard(name, path);
  else if (known) {
    known.value = { text: typed, base };
    keepSoon();
  } else put(name, new Map(of(name)).set(path, signal({ text: typed, base })));
}

/** The file now has this text. Text typed after it is still a draft. */
export function saved(name: string, path: string, now: string): void {
  const known = of(name).get(path);
  if (!known) return;
  if (known.value.text === now) discard(name, path);
  else {
    known.value = { ...known.value, base: now };
    keepSoon();
  }
}

export function discard(name: string, path: string): void {
  const others = new Map(of(name));
  if (others.delete(path)) put(name, others);
}

/** Whether it is that path, or below it. */
export const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/** Deletes the drafts of a file, or of all files in a folder. */
export function moveDrafts(name: string, from: string, to: string): void {
  const all = [...of(name)];
  if (!all.some(([path]) => isBelow(path, from))) return;
  put(name, new Map(all.map(([path, one]) => [isBelow(path, from) ? to + path.slice(from.length) : path, one])));
}

export function discardBelow(name: string, place: string): void {
  const others = [...of(name)].filter(([path]) => !isBelow(path, place));
  if (others.length < of(name).size) put(name, new Map(others));
}

/** The sandbox was removed, or another one took its name. */
export const forgetDrafts = (name: string): void => put(name, new Map());

/** After a reload, drafts of sandboxes in the page's memory or on a server belong to nobody. */
export function forgetOthers(names: string[]): void {
  for (const name of drafts.value.keys()) if (!names.includes(name)) forgetDrafts(name);
}

const isAny = computed(() => drafts.value.size > 0);

addEventListener('beforeunload', (event) => {
  if (isAny.value) event.preventDefault();
});
addEventListener('pagehide', keep);
