// The place to show when a person jumps to a hunk: its first change, however far into a line that is.

import type { Hit } from './find.js';
import { wordsOf } from './marks.js';
import type { Row } from './patch.js';

/** The first change of a hunk: a word, if a word changed. */
export function firstChange(rows: Row[], hunk: number, twins: Map<Row, Row>): Hit | undefined {
  const row = rows.find((one) => one.hunk === hunk && (one.kind === 'old' || one.kind === 'new'));
  if (!row) return undefined;
  const twin = twins.get(row);
  for (const one of twin ? [row, twin] : [row]) {
    const [word] = wordsOf(one, twins);
    if (word) return { row: one, from: word[0], to: word[1] };
  }
  return { row, from: 0, to: 0 };
}
