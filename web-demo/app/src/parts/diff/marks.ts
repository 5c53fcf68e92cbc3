// What is marked in the lines of a diff.

import type { Choice } from './box.js';
import type { Row } from './patch.js';
import { words } from './words.js';

type Look = 'gg-chip' | 'gg-word-old' | 'gg-word-new';
export type Mark = [from: number, to: number, look: Look];

/** Other words, and characters that the host has escaped. In order, and two can overlap. */
export function marksOf(row: Row, twins: Map<Row, Row>): Mark[] {
  const found: Mark[] = [];
  for (const match of row.text.matchAll(/<U\+[0-9A-F]{4,6}>/g)) {
    found.push([match.index, match.index + match[0].length, 'gg-chip']);
  }
  const { kind } = row;
  if (kind === 'old' || kind === 'new')
    for (const [from, to] of wordsOf(row, twins)) found.push([from, to, `gg-word-${kind}`]);
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Lines come into sight again and again. */
const KNOWN = new WeakMap<Row, readonly [number, number][]>();

function wordsOf(row: Row, twins: Map<Row, Row>): readonly [number, number][] {
  const twin = twins.get(row);
  if (!twin) return [];
  const found = KNOWN.get(row) ?? (row.kind === 'old' ? words(row.text, twin.text)[0] : words(twin.text, row.text)[1]);
  KNOWN.set(row, found);
  return found;
}

/** What a line looks like, as a part of the name of a class. */
export const lookOf = (row: Row, choice: Choice | undefined): Row['kind'] | 'out' =>
  row.kind !== 'hunk' && choice?.isOut(row.hunk) === true ? 'out' : row.kind;
