// Searches the files of the sandbox, a part at a time. The tool cuts what it finds and has no place to go
// on from, so what is left is searched file by file and folder by folder, in the order of the tool.

import { effect, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { ToolArguments } from 'gitgate';

import { literal } from './hits.js';
import { inside, number, row, rows, text } from './json.js';
import { entries, refresh } from './repo.js';
import type { Entry } from './repo.js';
import { go } from './route.js';
import { mine, sandbox } from './session.js';
import { problem } from './toast.js';
import type { Problem } from './toast.js';

/** Lines that are looked for at once. */
const STEP = 500;

export interface Query {
  text: string;
  isRegex: boolean;
  /** Whether capital and small letters differ. */
  isExact: boolean;
  /** Which files, as a glob. Empty for all. */
  glob: string;
}

export interface Match {
  path: string;
  line: number;
  text: string;
}

/** A folder or a file that is not searched to its end. */
interface Scope {
  path: string;
  /** How many matches in it are known. */
  known: number;
}

export interface Answer {
  query: Query;
  matches: Match[];
  left: Scope[];
  /** What the tool does not give: what comes after these. */
  lost: { path: string; line: number }[];
}

export const query = signal<Query>({ text: '', isRegex: false, isExact: false, glob: '' });
export const answer = signal<Answer | undefined>(undefined);
export const searching = signal<AbortController | undefined>(undefined);
export const searchProblem = signal<Problem | undefined>(undefined);
/** Grows whenever a person wants to type what to search for. */
export const wanted = signal(0);

export function openSearch(): void {
  wanted.value += 1;
  go('search');
}

function argumentsOf({ text: said, isRegex, isExact, glob }: Query): ToolArguments['search_files'] {
  const pattern = `${isExact ? '' : '(?i)'}${isRegex ? said : literal(said)}`;
  return { pattern, ...(glob.trim() && { glob: glob.trim() }) };
}

/** The folders that a path is in, and the outermost one. */
const around = (path: string): Set<string> => {
  const parts = path.split('/').slice(0, -1);
  return new Set(['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]);
};

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What the tool searches in a scope after a file. A glob with a slash fits paths below the whole only. */
async function after(path: string, scope: string, glob: string): Promise<string[]> {
  if (!entries.value?.some((one) => one.path === path)) await refresh();
  const all = entries.value ?? [];
  const at = all.findIndex((one) => one.path === path);
  if (at < 0) throw new GitgateError('interrupted', 'the files have changed during the search', 'search again');
  const folders = around(path);
  const isNext = (one: Entry): boolean => (glob.includes('/') ? !one.isFolder : folders.has(folderOf(one.path)));
  return all
    .slice(at + 1)
    .filter((one) => !one.isLink && isNext(one) && (scope === '' || one.path.startsWith(`${scope}/`)))
    .map((one) => one.path);
}

/** Searches the first scope of those that are left. */
async function step({ query, matches, left, lost }: Answer, most: number): Promise<Answer> {
  const [scope, ...rest] = left;
  if (!scope) return { query, matches, left, lost };
  const limit = scope.known + most;
  const path = scope.path || '.';
  const found = row(await mine('search_files', { ...argumentsOf(query), path, limit }));
  const all = rows(found.matches).map((one) => ({
    path: inside(text(one.path)),
    line: number(one.line),
    text: text(one.text),
  }));
  const fresh = all.slice(scope.known);
  const last = all.at(-1);
  const now = { query, matches: [...matches, ...fresh], left: rest, lost };
  if (found.truncated !== true) return now;
  if (!last || fresh.length === 0) return { ...now, lost: [...lost, { path: scope.path, line: last?.line ?? 0 }] };
  const known = now.matches.filter((one) => one.path === last.path).length;
  const next = (await after(last.path, scope.path, query.glob)).map((one) => ({ path: one, known: 0 }));
  return { ...now, left: [{ path: last.path, known }, ...next, ...rest] };
}

async function goOn(from: Answer, most: number, off: AbortController): Promise<void> {
  let now = from;
  const end = from.matches.length + most;
  while (now.left.length > 0 && now.matches.length < end) {
    now = await step(now, end - now.matches.length);
    if (off.signal.aborted) return;
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
  if (query.value.text !== '') begin({ query: query.value, matches: [], left: [{ path: '', known: 0 }], lost: [] });
}

export function showMore(): void {
  if (answer.value) begin(answer.value);
}

export function stopSearch(): void {
  searching.value?.abort();
  searching.value = undefined;
}

// What was found in one sandbox is not shown of another.
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
