// Pairs deleted files with new ones. Equal contents come first, then files that share at least half of
// their bytes in lines, as in git.

import { hunksOf } from './compare.js';

/** A deleted or a new file. */
export interface Half {
  path: string;
  /** git's id of its content, whole or abbreviated. */
  id?: string | undefined;
  /** All of its lines, unless it is binary or empty. */
  hunks: string[];
}

export interface Rename {
  /** Indices into the given lists. */
  from: number;
  to: number;
  /** In percent. */
  similarity: number;
  /** What differs. */
  hunks: string[];
}

const LEAST = 0.5;
/** The most distinct lines to look up over all pairs, so that the page stays responsive. */
const MOST_WORK = 1_000_000;
const SHORTEST_ID = 7;

interface Content {
  path: string;
  id: string;
  lines: string[];
  text: string;
  size: number;
  counts: Map<string, number>;
}

/** The lines of a file's only side, with their ends. */
function linesOf(hunks: string[]): string[] {
  const found: string[] = [];
  for (const line of hunks.flatMap((hunk) => hunk.replace(/\n$/, '').split('\n').slice(1))) {
    if (line.startsWith('\\')) found.push((found.pop() ?? '').replace(/\n$/, ''));
    else found.push(`${line.slice(1)}\n`);
  }
  return found;
}

function contentOf({ path, id, hunks }: Half): Content {
  const lines = linesOf(hunks);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const text = lines.join('');
  return { path, id: id ?? '', lines, text, size: text.length, counts };
}

function isSame(a: Content, b: Content): boolean {
  const length = Math.min(a.id.length, b.id.length);
  if (length >= SHORTEST_ID) return a.id.slice(0, length) === b.id.slice(0, length);
  return a.size > 0 && a.text === b.text;
}

function similarity(a: Content, b: Content): number {
  const [fewer, more] = a.counts.size <= b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  let common = 0;
  for (const [line, count] of fewer) common += Math.min(count, more.get(line) ?? 0) * line.length;
  return common / Math.max(a.size, b.size);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

interface Pair {
  from: number;
  to: number;
  score: number;
  hasName: boolean;
}

/** All similar pairs. Pairs that would take too much work count as different. */
function pairs(gone: Content[], fresh: Content[]): Pair[] {
  const found: Pair[] = [];
  let work = 0;
  for (const [to, b] of fresh.entries()) {
    for (const [from, a] of gone.entries()) {
      const pair = { from, to, hasName: nameOf(a.path) === nameOf(b.path) };
      if (isSame(a, b)) found.push({ ...pair, score: 1 });
      else {
        const canBe = Math.min(a.size, b.size) > LEAST * Math.max(a.size, b.size);
        work += canBe ? 1 + Math.min(a.counts.size, b.counts.size) : 0;
        const score = canBe && work <= MOST_WORK ? similarity(a, b) : 0;
        // Only identical content scores full similarity: lines may have moved.
        if (score >= LEAST) found.push({ ...pair, score: Math.min(score, 0.99) });
      }
    }
  }
  return found;
}

/** The best pairs first. Among equals, those that kept their names. */
export function renames(gone: Half[], fresh: Half[]): Rename[] {
  const [before, after] = [gone.map(contentOf), fresh.map(contentOf)];
  const best = pairs(before, after).sort((a, b) => b.score - a.score || Number(b.hasName) - Number(a.hasName));
  const [left, taken] = [new Set<number>(), new Set<number>()];
  const found: Rename[] = [];
  for (const { from, to, score } of best) {
    if (left.has(from) || taken.has(to)) continue;
    const hunks = score === 1 ? [] : hunksOf(before[from]?.lines ?? [], after[to]?.lines ?? []);
    if (!hunks) continue;
    left.add(from);
    taken.add(to);
    found.push({ from, to, similarity: Math.floor(score * 100), hunks });
  }
  return found.sort((a, b) => a.to - b.to);
}
