// A person's progress in reviews, stored for the tab by what leaves.

import type { Keeper, Seen } from '../screens/review/model.js';
import { list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { session } from './kept.js';
import type { Json } from 'gitgate';

const KEY = 'gitgate.reviews';
/** The most reviews that are stored. */
const MANY = 8;
/** The longest delay from a change to the storage, in milliseconds. */
const SOON = 1000;

const texts = (value: Json | undefined): string[] => list(value).map(text);

function seenOf(value: Row): Seen {
  const out = rows(value.out).map(({ path, hunks }): [string, 'all' | Set<number>] => [
    text(path),
    hunks === undefined ? 'all' : new Set(list(hunks).map(number)),
  ]);
  return {
    opened: new Set(texts(value.opened)),
    selected: number(value.selected),
    isList: value.isList === true,
    out: new Map(out),
    message: typeof value.message === 'string' ? value.message : undefined,
  };
}

const jsonOf = ({ opened, selected, isList, out, message }: Seen): Row => ({
  opened: [...opened],
  selected,
  isList,
  out: [...out].map(([path, what]): Row => (what === 'all' ? { path } : { path, hunks: [...what] })),
  ...(message !== undefined && { message }),
});

function found(): Row {
  try {
    return row(JSON.parse(session.getItem(KEY) ?? '{}') as Json);
  } catch {
    // The value is not this page's.
    return {};
  }
}

const before = found();
/** By what leaves, the latest last. */
const reviews = new Map(rows(before.reviews).map((one) => [text(one.what), seenOf(one)]));
/** What would have left at the last review of each call or request. */
const latest = new Map(rows(before.latest).map(({ subject, what }) => [text(subject), text(what)]));

let timer: ReturnType<typeof setTimeout> | undefined;

function keep(): void {
  clearTimeout(timer);
  timer = undefined;
  const recent = [...latest].slice(-MANY).map(([subject, what]) => ({ subject, what }));
  let some = [...reviews].slice(-MANY).map(([what, seen]) => ({ what, ...jsonOf(seen) }));
  for (;;) {
    try {
      return session.setItem(KEY, JSON.stringify({ reviews: some, latest: recent }));
    } catch (error) {
      // There is no room for the oldest one.
      if (some.length === 0) throw error;
      some = some.slice(1);
    }
  }
}

const keepSoon = (): void => void (timer ??= setTimeout(keep, SOON));
addEventListener('pagehide', keep);

export const keeper: Keeper = {
  find: (what) => reviews.get(what),
  keep: (what, seen) => {
    reviews.delete(what);
    reviews.set(what, seen);
    keepSoon();
  },
};

/** Whether something else would have left at the last review. Remembers the current value. */
export function isAnother(subject: string, what: string): boolean {
  const last = latest.get(subject);
  latest.delete(subject);
  latest.set(subject, what);
  keepSoon();
  return last !== undefined && last !== what;
}

export const forgetSubject = (subject: string): void => void latest.delete(subject);
