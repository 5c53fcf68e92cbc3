// What a person has typed in files and not saved. It is in memory of this page.

import { computed, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

interface Draft {
  text: string;
  /** What the file had when the person began to type. */
  base: string;
}

type Drafts = ReadonlyMap<string, Signal<Draft>>;

/** By sandbox and path. The maps change when a draft comes or goes, and not with each key. */
const drafts = signal<ReadonlyMap<string, Drafts>>(new Map());

const of = (name: string): Drafts => drafts.value.get(name) ?? new Map();

export const draft = (name: string, path: string): Draft | undefined => of(name).get(path)?.value;
export const unsaved = (name: string): string[] => [...of(name).keys()].sort();

function put(name: string, some: Drafts): void {
  const all = new Map(drafts.value);
  if (some.size > 0) all.set(name, some);
  else all.delete(name);
  drafts.value = all;
}

/** Keeps what was typed over `shown`. A draft that is the file again is none. */
export function type(name: string, path: string, text: string, shown: string): void {
  const known = of(name).get(path);
  const base = known?.peek().base ?? shown;
  if (text === base) discard(name, path);
  else if (known) known.value = { text, base };
  else put(name, new Map(of(name)).set(path, signal({ text, base })));
}

/** The file has this text now. What was typed after it is still a draft. */
export function saved(name: string, path: string, text: string): void {
  const known = of(name).get(path);
  if (!known) return;
  if (known.value.text === text) discard(name, path);
  else known.value = { ...known.value, base: text };
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
