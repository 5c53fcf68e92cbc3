// Searches the files of the sandbox, one page at a time.

import { effect, signal } from '@preact/signals';
import type { ToolArguments } from 'gitgate';

import { literal } from './hits.js';
import { inside, number, row, rows, text } from './json.js';
import { go } from './route.js';
import { mine, sandbox } from './session.js';
import { problem } from './toast.js';
import type { Problem } from './toast.js';

/** The number of lines to search for at a time. */
const STEP = 500;

export interface Query {
  text: string;
  isRegex: boolean;
  /** Whether the search is case-sensitive. */
  isExact: boolean;
  /** The files to search, as a glob. Empty for all. */
  glob: string;
}

export interface Match {
  path: string;
  line: number;
  text: string;
}

export interface Answer {
  query: Query;
  matches: Match[];
  /** The number of the next match, counted from 1, if there are more. */
  next: number | undefined;
  /** Whether there are matches that the tool left out. */
  isCut: boolean;
}

export const query = signal<Query>({ text: '', isRegex: false, isExact: false, glob: '' });
export const answer = signal<Answer | undefined>(undefined);
export const searching = signal<AbortController | undefined>(undefined);
export const searchProblem = signal<Problem | undefined>(undefined);
/** Grows whenever a person wants to type a query. */
export const wanted = signal(0);

export function openSearch(): void {
  wanted.value += 1;
  go('search');
}

function argumentsOf({ text: said, isRegex, isExact, glob }: Query): ToolArguments['search_files'] {
  const pattern = `${isExact ? '' : '(?i)'}${isRegex ? said : literal(said)}`;
  return { pattern, ...(glob.trim() && { glob: glob.trim() }) };
}

/** Fetches matches until there are this many more, or no next one. */
async function goOn(from: Answer, most: number, off: AbortController): Promise<void> {
  const end = from.matches.length + most;
  for (let now = from; now.next !== undefined && now.matches.length < end;) {
    const wanted = { ...argumentsOf(now.query), offset: now.next, limit: end - now.matches.length };
    const found = row(await mine('search_files', wanted));
    if (off.signal.aborted) return;
    const fresh = rows(found.matches).map((one) => ({
      path: inside(text(one.path)),
      line: number(one.line),
      text: text(one.text),
    }));
    const next = number(found.nextOffset) || undefined;
    const isCut = found.truncated === true && next === undefined;
    now = { query: now.query, matches: [...now.matches, ...fresh], next, isCut };
    answer.value = now;
  }
}

function begin(from: Answer): void {
  searching.peek()?.abort();
  const off = new AbortController();
  searching.value = off;
  searchProblem.value = undefined;
  const done = (): void => {
    if (searching.value === off) searching.value = undefined;
  };
  goOn(from, STEP, off)
    .catch((error: unknown) => {
      if (!off.signal.aborted) searchProblem.value = problem(error);
    })
    .finally(done);
}

export function search(): void {
  answer.value = undefined;
  if (query.value.text !== '') begin({ query: query.value, matches: [], next: 1, isCut: false });
}

export function showMore(): void {
  if (answer.value) begin(answer.value);
}

export function stopSearch(): void {
  searching.value?.abort();
  searching.value = undefined;
}

// The results for one sandbox must not show for another.
let searched: string | undefined;
effect(() => {
  const name = sandbox.value?.name;
  if (name === undefined || name === searched) return;
  searched = name;
  searching.peek()?.abort();
  searching.value = undefined;
  answer.value = undefined;
  searchProblem.value = undefined;
});
