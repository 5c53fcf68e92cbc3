// Computes the hunks between two lists of lines in git's form.

import { diff } from '@codemirror/merge';

const CONTEXT = 3;
/** Each distinct line becomes a character. Half of a surrogate pair would be none. */
const MOST_LINES = 0xd7ff;
/** If two texts differ by more than this, their common part is found less precisely. */
const SCAN = 2000;
const NO_END = '\\ No newline at end of file\n';

interface Row {
  sign: ' ' | '-' | '+';
  line: string;
}

function rowsOf(before: string[], after: string[]): Row[] | undefined {
  const codes = new Map<string, string>();
  const coded = (lines: string[]): string =>
    lines
      .map((line) => {
        const code = codes.get(line) ?? String.fromCharCode(codes.size + 1);
        codes.set(line, code);
        return code;
      })
      .join('');
  if (before.length + after.length > MOST_LINES) return undefined;
  const found: Row[] = [];
  let at = 0;
  const same = (to: number): void => {
    for (const line of before.slice(at, to)) found.push({ sign: ' ', line });
  };
  for (const { fromA, toA, fromB, toB } of diff(coded(before), coded(after), { scanLimit: SCAN })) {
    same(fromA);
    for (const line of before.slice(fromA, toA)) found.push({ sign: '-', line });
    for (const line of after.slice(fromB, toB)) found.push({ sign: '+', line });
    at = toA;
  }
  same(before.length);
  return found;
}

/** The first row and the end of each hunk. Changes whose contexts meet share a hunk. */
function spans(rows: Row[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  rows.forEach(({ sign }, at) => {
    if (sign === ' ') return;
    const [from, to] = [Math.max(0, at - CONTEXT), Math.min(rows.length, at + CONTEXT + 1)];
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  });
  return found;
}

// git counts from 0 if a side has no line.
const range = (first: number, count: number): string => `${count === 0 ? first : first + 1},${count}`;

/** Lines include their ends. Returns no hunks for texts that are too long to compare. */
export function hunksOf(before: string[], after: string[]): string[] | undefined {
  const rows = rowsOf(before, after);
  if (!rows) return undefined;
  let [old, fresh, at] = [0, 0, 0];
  return spans(rows).map(([from, to]) => {
    old += from - at;
    fresh += from - at;
    at = to;
    const shown = rows.slice(from, to);
    const olds = shown.filter(({ sign }) => sign !== '+').length;
    const news = shown.filter(({ sign }) => sign !== '-').length;
    const head = `@@ -${range(old, olds)} +${range(fresh, news)} @@\n`;
    old += olds;
    fresh += news;
    return head + shown.map(({ sign, line }) => sign + (line.endsWith('\n') ? line : `${line}\n${NO_END}`)).join('');
  });
}
