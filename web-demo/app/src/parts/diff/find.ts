// Finds text in all rows of a diff, drawn or not.

import { literal } from '../../state/hits.js';
import type { Row } from './patch.js';

/** A part of a row. */
export interface Hit {
  row: Row;
  from: number;
  to: number;
}

export interface Wanted {
  text: string;
  /** Whether the search is case-sensitive. */
  isExact: boolean;
}

/** All matches, in the order of the patch. */
export function find(rows: Row[], { text, isExact }: Wanted): Hit[] {
  if (text === '') return [];
  const pattern = new RegExp(literal(text), isExact ? 'gu' : 'giu');
  return rows.flatMap((row) =>
    [...row.text.matchAll(pattern)].map(({ index, 0: found }) => ({ row, from: index, to: index + found.length })),
  );
}

/** The marked matches. Whoever draws rows asks for them. */
export class Found {
  #hits = new Map<Row, Hit[]>();
  #now: Hit | undefined;
  #all: Hit[] = [];

  set(hits: Hit[], now: Hit | undefined): void {
    this.#now = now;
    // Stepping from match to match keeps the same list.
    if (hits === this.#all) return;
    this.#all = hits;
    this.#hits = new Map();
    for (const hit of hits) {
      const others = this.#hits.get(hit.row);
      if (others) others.push(hit);
      else this.#hits.set(hit.row, [hit]);
    }
  }

  in(row: Row): Hit[] {
    return this.#hits.get(row) ?? [];
  }

  isNow(hit: Hit): boolean {
    return hit === this.#now;
  }
}
