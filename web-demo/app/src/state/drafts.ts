// What a person has typed in files and not saved. It is in memory of this page, and from time to time
// it is kept for the tab, which finds it again when it is reloaded or has crashed.

import { computed, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Json } from 'gitgate';

import { rows, text } from './json.js';
import { session } from './kept.js';

const KEY = 'gitgate.drafts';
/** Milliseconds after the last key. */
const PAUSE = 1000;

interface Draft {
  text: string;
  /** What the file had when the person began to type. */
  base: string;
}

type Drafts = ReadonlyMap<string, Signal<Draft>>;

/** By sandbox and path. The maps change when a draft comes or goes, and not with each key. */
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
    // It is none of this page's.
    return [];
  }
}

let pause: ReturnType<typeof setTimeout> | undefined;

function keep(): void {
  clearTimeout(pause);
  pause = undefined;
  const all = [...drafts.value].flatMap(([name, some]) =>
    [...some].map(([path, { value }]) => ({ name, path, ...value })),
  );
  try {
    if (all.length > 0) session.setItem(KEY, JSON.stringify(all));
    else session.removeItem(KEY);
  } catch {
    // There is no room for so much. It stays in memory, and the page asks before it is left.
    session.removeItem(KEY);
  }
}

function keepSoon(): void {
  clearTimeout(pause);
  pause = setTimeout(keep, PAUSE);
}

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

/** Keeps what was typed over `shown`. A draft that is the file again is none. */
export function type(name: string, path: string, typed: string, shown: string): void {
  const known = of(name).get(path);
  const base = known?.peek().base ?? shown;
  if (typed === base) discard(name, path);
  else if (known) {
    known.value = { text: typed, base };
    keepSoon();
  } else put(name, new Map(of(name)).set(path, signal({ text: typed, base })));
}

/** The file has this text now. What was typed after it is still a draft. */
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

/** The sandbox is gone, or another one has its name. */
export const forgetDrafts = (name: string): void => put(name, new Map());

const isAny = computed(() => drafts.value.size > 0);

addEventListener('beforeunload', (event) => {
  if (isAny.value) event.preventDefault();
});
addEventListener('pagehide', keep);
