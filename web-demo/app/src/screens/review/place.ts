// The places that comments are about.

import type { CommentPlace, Side } from 'gitgate';

import { rowsOf } from '../../parts/diff/patch.js';

/** The lines around a place by which it is found again in a later push. */
const AROUND = 3;

/** These lines of a file, if one of its hunks shows them all. */
export function linesAt(
  hunks: readonly string[],
  path: string,
  side: Side,
  first: number,
  last: number,
): CommentPlace | undefined {
  for (const hunk of hunks) {
    const rows = rowsOf([hunk]).filter((row) => row[side] !== undefined);
    const [begin, end] = [first, last].map((line) => rows.findIndex((row) => row[side] === line));
    if (begin === undefined || end === undefined || begin < 0 || end < begin) continue;
    const texts = (from: number, to: number): string[] => rows.slice(Math.max(0, from), to).map(({ text }) => text);
    const [before, after] = [texts(begin - AROUND, begin), texts(end + 1, end + 1 + AROUND)];
    return { on: 'lines', path, side, first, last, lines: texts(begin, end + 1), before, after };
  }
  return undefined;
}

/** Such as `src/a.rs:12–14`. */
export function words(place: CommentPlace): string {
  if (place.on === 'push') return 'the whole push';
  if (place.on === 'file') return place.path;
  const { path, side, first, last } = place;
  return `${path}:${first === last ? first : `${first}–${last}`}${side === 'old' ? ' (before)' : ''}`;
}
