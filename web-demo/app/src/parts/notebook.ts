// The cells of a Jupyter notebook (nbformat 4), and how they change.

import { diff } from '@codemirror/merge';

import { list, row, rows, text } from '../state/json.js';
import { hunksOf } from './diff/compare.js';

interface Cell {
  /** `code`, `markdown` or `raw`. */
  kind: string;
  /** Notebooks before 4.5 have none. */
  id: string;
  source: string;
  /** The outputs, as JSON. */
  outputs: string;
}

export interface CellChange {
  kind: string;
  state: 'same' | 'changed' | 'new' | 'gone';
  /** The place in the new notebook, or in the old one if it is gone. Counted from 1. */
  at: number;
  hunks: string[];
  /** Whether only what it has printed differs, or that as well. */
  hasOtherOutputs: boolean;
}

const sourceOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).join('') : '';

/** Nothing for a text that is no notebook. */
export function cellsOf(content: string): Cell[] | undefined {
  try {
    const notebook = row(JSON.parse(content));
    if (!Array.isArray(notebook.cells)) return undefined;
    return rows(notebook.cells).map((cell) => ({
      kind: text(cell.cell_type),
      id: text(cell.id),
      source: sourceOf(cell.source),
      outputs: JSON.stringify(list(cell.outputs)),
    }));
  } catch {
    // It is no JSON.
    return undefined;
  }
}

const lines = (source: string): string[] => source.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changeOf(old: Cell | undefined, fresh: Cell | undefined, at: number): CellChange {
  const { kind = '' } = fresh ?? old ?? {};
  const hunks = hunksOf(lines(old?.source ?? ''), lines(fresh?.source ?? '')) ?? [];
  const hasOtherOutputs = (old?.outputs ?? '[]') !== (fresh?.outputs ?? '[]');
  const isSame = hunks.length === 0 && !hasOtherOutputs && old?.kind === fresh?.kind;
  const state = !old ? 'new' : !fresh ? 'gone' : isSame ? 'same' : 'changed';
  return { kind, state, at, hunks, hasOtherOutputs };
}

/** Pairs cells by their ids, or else by what they say, and those between by their order. */
export function compareCells(old: Cell[], fresh: Cell[]): CellChange[] {
  const codes = new Map<string, string>();
  const coded = (cells: Cell[]): string =>
    cells
      .map(({ id, source }) => {
        const key = id === '' ? `source ${source}` : `id ${id}`;
        const code = codes.get(key) ?? String.fromCharCode(codes.size + 1);
        codes.set(key, code);
        return code;
      })
      .join('');
  const found: CellChange[] = [];
  let [a, b] = [0, 0];
  const pairs = (to: number): void => {
    for (; b < to; a += 1, b += 1) found.push(changeOf(old[a], fresh[b], b + 1));
  };
  for (const { fromB, toA, toB } of diff(coded(old), coded(fresh), { scanLimit: 2000 })) {
    pairs(fromB);
    for (; a < toA && b < toB && old[a]?.kind === fresh[b]?.kind; a += 1, b += 1) {
      found.push(changeOf(old[a], fresh[b], b + 1));
    }
    for (; a < toA; a += 1) found.push(changeOf(old[a], undefined, a + 1));
    for (; b < toB; b += 1) found.push(changeOf(undefined, fresh[b], b + 1));
  }
  pairs(fresh.length);
  return found;
}
