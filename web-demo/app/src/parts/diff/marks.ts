// The marks in the lines of a diff.

import type { Choice } from './box.js';
import { escapesIn } from './escaped.js';
import type { Escaped } from './escaped.js';
import type { Found } from './find.js';
import type { Row } from './patch.js';
import { words } from './words.js';

type Look = 'gg-escape' | 'gg-word-old' | 'gg-word-new' | 'gg-hit' | 'gg-hit-now';
export type Mark = [from: number, to: number, look: Look];

/** Changed words, possible escapes, and matches. In order; they may overlap. */
export function marksOf(row: Row, twins: Map<Row, Row>, escaped: Escaped, hits: Found): Mark[] {
  const found: Mark[] = [];
  for (const { index = 0, 0: text } of escapesIn(row.text, escaped)) {
    found.push([index, index + text.length, 'gg-escape']);
  }
  const { kind } = row;
  if (kind === 'old' || kind === 'new')
    for (const [from, to] of wordsOf(row, twins)) found.push([from, to, `gg-word-${kind}`]);
  for (const hit of hits.in(row)) found.push([hit.from, hit.to, hits.isNow(hit) ? 'gg-hit-now' : 'gg-hit']);
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Lines enter the viewport again and again. */
const KNOWN = new WeakMap<Row, readonly [number, number][]>();

export function wordsOf(row: Row, twins: Map<Row, Row>): readonly [number, number][] {
  const twin = twins.get(row);
  if (!twin) return [];
  const found = KNOWN.get(row) ?? (row.kind === 'old' ? words(row.text, twin.text)[0] : words(twin.text, row.text)[1]);
  KNOWN.set(row, found);
  return found;
}

/** The style of a line, as a part of a class name. */
export const lookOf = (row: Row, choice: Choice | undefined): Row['kind'] | 'out' =>
  (row.kind === 'old' || row.kind === 'new') && choice?.isOut(row.hunk) === true ? 'out' : row.kind;
