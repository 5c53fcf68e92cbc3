// Parses patches of the gate and of git.

import { unquote } from '../quoted.js';
import type { Escaped } from './escaped.js';

export interface FilePatch {
  path: string;
  escaped: Escaped;
  status: string;
  /** The old path and the similarity in percent, if it was renamed. */
  from?: string;
  similarity?: number;
  /** The text before the hunks. */
  head: string;
  hunks: string[];
  added: number;
  deleted: number;
  /** Asks for the hunks if they are not loaded yet. */
  load?: () => Promise<FilePatch>;
  /** Some hunks are missing, and there is no way to load them. */
  isCut?: boolean;
}

const lines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

// Only a line feed ends a line: content may contain other characters that JavaScript takes for line ends.

/** Moves the hunks out of a head that contains them: the diff of a new file is a single hunk. */
export function apart(head: string, hunks: string[]): { head: string; hunks: string[] } {
  if (hunks.length > 0) return { head, hunks };
  const parts = head.split(/(?<=^|\n)(?=@@ )/);
  return { head: parts[0] ?? '', hunks: parts.slice(1) };
}

interface Renamed {
  from: string;
  to: string;
  similarity: number;
}

function renamed(head: string): Renamed | undefined {
  const [, from, to] = /^rename from (.+)\nrename to (.+)$/m.exec(head) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const similarity = Number(/^similarity index (\d+)%$/m.exec(head)?.[1] ?? 0);
  return { from: unquote(from), to: unquote(to), similarity };
}

function pathOf(head: string): string {
  const named = /^\+\+\+ (.+)$/m.exec(head)?.[1];
  const old = /^--- (.+)$/m.exec(head)?.[1];
  const both = /^diff --git (?:a\/(.*) b\/\1|"a\/(.*)" "b\/\2")$/m.exec(head);
  const found =
    named && named !== '/dev/null'
      ? unquote(named.replace(/\t$/, ''))
      : old
        ? unquote(old.replace(/\t$/, ''))
        : undefined;
  return found ? found.replace(/^[ab]\//, '') : (both?.[1] ?? unquote(`"${both?.[2] ?? ''}"`));
}

/** The numbers of added and deleted lines in the hunks. */
export function countsOf(hunks: string[]): { added: number; deleted: number } {
  const all = hunks.flatMap((hunk) => lines(hunk).slice(1));
  const count = (sign: string): number => all.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), deleted: count('-') };
}

/** The files of a diff. */
export function parsePatch(text: string): FilePatch[] {
  return text
    .split(/(?<=^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => {
      const { head, hunks } = apart(part, []);
      const rename = renamed(head);
      const status = rename ? 'R' : /^new file/m.test(head) ? 'A' : /^deleted file/m.test(head) ? 'D' : 'M';
      return {
        path: rename?.to ?? pathOf(head),
        ...(rename && { from: rename.from, similarity: rename.similarity }),
        escaped: 'git',
        status,
        head,
        hunks,
        ...countsOf(hunks),
      };
    });
}

/** A gap is a row where only the other side has a line. */
type Kind = 'hunk' | 'same' | 'old' | 'new' | 'note' | 'end' | 'gap';

export interface Row {
  kind: Kind;
  text: string;
  /** The line's numbers in the old and the new file. */
  old: number | undefined;
  new: number | undefined;
  /** Counted from 1. */
  hunk: number;
}

/** A line of the other side only. */
export const GAP: Row = { kind: 'gap', text: '', old: undefined, new: undefined, hunk: 0 };

export function rowsOf(hunks: string[]): Row[] {
  const found: Row[] = [];
  hunks.forEach((text, index) => {
    const [first = '', ...rest] = lines(text);
    const hunk = index + 1;
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(first) ?? [];
    // A difference between two versions of a hunk has no numbers.
    let [before, after] = [Number(from), Number(to)];
    const numbered = (row: Row): Row => (from === undefined ? { ...row, old: undefined, new: undefined } : row);
    found.push({ kind: 'hunk', text: first, old: undefined, new: undefined, hunk });
    for (const line of rest) {
      const body = line.slice(1);
      if (line.startsWith('-')) found.push(numbered({ kind: 'old', text: body, old: before++, new: undefined, hunk }));
      else if (line.startsWith('+')) found.push(numbered({ kind: 'new', text: body, old: undefined, new: after++, hunk }));
      else if (line.startsWith('\\')) found.push({ kind: 'note', text: line, old: undefined, new: undefined, hunk });
      else found.push(numbered({ kind: 'same', text: body, old: before++, new: after++, hunk }));
    }
  });
  // Every line before it needs a line break.
  found.push({ kind: 'end', text: '', old: undefined, new: undefined, hunk: 0 });
  return found;
}
