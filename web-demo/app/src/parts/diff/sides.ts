// The documents of a diff, and the kind of each line.

import { Change } from '@codemirror/merge';

import { GAP } from './patch.js';
import type { Row } from './patch.js';

export interface Side {
  rows: Row[];
  /** The previous or next form of a changed line, by positions in `rows`. */
  twins: Map<Row, Row>;
}

function pairs(rows: Row[]): Map<Row, Row> {
  const found = new Map<Row, Row>();
  let old: Row[] = [];
  let fresh: Row[] = [];
  const end = (): void => {
    for (let at = 0; at < Math.min(old.length, fresh.length); at += 1) {
      const [a, b] = [old[at], fresh[at]];
      if (a && b) found.set(a, b).set(b, a);
    }
    [old, fresh] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'old') {
      if (fresh.length > 0) end();
      old.push(row);
    } else if (row.kind === 'new') fresh.push(row);
    else if (row.kind !== 'note') end();
  }
  end();
  return found;
}

/** The document of a side. */
export const textOf = ({ rows }: Side): string => rows.map(({ text }) => text).join('\n');

/** The file that the numbers belong to. */
export type Which = 'old' | 'new';

export const highest = (rows: Row[], which: Which): number =>
  rows.reduce((most, row) => Math.max(most, row[which] ?? 0), 0);

export const unified = (rows: Row[]): Side => ({ rows, twins: pairs(rows) });

/** Whether one side has no lines, so that there is nothing to show side by side. */
export const isOneSided = (rows: Row[]): boolean =>
  !rows.some(({ kind }) => kind === 'same') &&
  new Set(rows.filter(({ kind }) => kind === 'old' || kind === 'new').map(({ kind }) => kind)).size < 2;

/** A hunk's heading is read once, on the left. */
const heads = (row: Row): [left: Row, right: Row] => [row, { ...row, text: '' }];

/** Two sides with the same number of lines, filled with gaps to align them. */
export function aligned(rows: Row[]): { a: Side; b: Side } {
  const twins = pairs(rows);
  const a: Row[] = [];
  const b: Row[] = [];
  const even = (): void => {
    while (a.length < b.length) a.push(GAP);
    while (b.length < a.length) b.push(GAP);
  };
  for (const row of rows) {
    if (row.kind === 'old') {
      if (b.length > a.length) even();
      a.push(row);
    } else if (row.kind === 'new') b.push(row);
    else if (row.kind === 'note') (b.at(-1)?.kind === 'new' && b.length >= a.length ? b : a).push(row);
    else {
      even();
      const [left, right] = row.kind === 'hunk' ? heads(row) : [row, row];
      a.push(left);
      b.push(right);
    }
  }
  even();
  return { a: { rows: a, twins }, b: { rows: b, twins } };
}

export function split(rows: Row[]): { a: Side; b: Side; changes: Change[] } {
  const twins = pairs(rows);
  const a: Row[] = [];
  const b: Row[] = [];
  const changes: Change[] = [];
  let [atA, atB, fromA, fromB] = [0, 0, 0, 0];
  let isOpen = false;
  const end = (): void => {
    if (isOpen) changes.push(new Change(fromA, atA, fromB, atB));
    isOpen = false;
  };
  for (const row of rows) {
    if (row.kind === 'hunk') {
      const [left, right] = heads(row);
      end();
      a.push(left);
      b.push(right);
      atA += left.text.length + 1;
      atB += right.text.length + 1;
      continue;
    }
    const isNote = row.kind === 'note';
    const isChange = row.kind === 'old' || row.kind === 'new' || isNote;
    if (!isChange) end();
    else if (!isOpen) [isOpen, fromA, fromB] = [true, atA, atB];
    // A note about a line's end appears only beside that line.
    const last = (rows: Row[]): boolean => rows.at(-1)?.kind === (rows === a ? 'old' : 'new');
    if (row.kind !== 'new' && (!isNote || last(a) || !last(b))) {
      a.push(row);
      atA += row.text.length + 1;
    }
    if (row.kind !== 'old' && (!isNote || last(b) || !last(a))) {
      b.push(row);
      atB += row.text.length + 1;
    }
  }
  end();
  return { a: { rows: a, twins }, b: { rows: b, twins }, changes };
}
