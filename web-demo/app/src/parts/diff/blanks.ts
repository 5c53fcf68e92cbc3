// Shows hunks without changes of blanks: a line that differs in nothing else looks the same.

import { diff } from '@codemirror/merge';

/** Lines that differ by more than this are compared less precisely. */
const SCAN = 2000;
const bare = (line: string): string => line.slice(1).replaceAll(/\s+/g, '');

/** Pairs lines that are equal but for blanks, in order. More lines than characters are not compared. */
function quiet(old: string[], fresh: string[]): string[] {
  const codes = new Map<string, string>();
  const coded = (lines: string[]): string =>
    lines
      .map((line) => {
        const code = codes.get(bare(line)) ?? String.fromCharCode(codes.size + 1);
        codes.set(bare(line), code);
        return code;
      })
      .join('');
  if (old.length === 0 || fresh.length === 0 || old.length + fresh.length > 0xd000) return [...old, ...fresh];
  const found: string[] = [];
  let at = 0;
  const same = (to: number): void => void found.push(...fresh.slice(at, to).map((line) => ` ${line.slice(1)}`));
  for (const { fromA, toA, fromB, toB } of diff(coded(old), coded(fresh), { scanLimit: SCAN })) {
    same(fromB);
    found.push(...old.slice(fromA, toA), ...fresh.slice(fromB, toB));
    at = toB;
  }
  same(fresh.length);
  return found;
}

/** The same hunk, with its header. A note about a line's end stays with its line. */
export function withoutBlanks(hunk: string): string {
  const [head = '', ...lines] = hunk.replace(/\n$/, '').split('\n');
  const found: string[] = [];
  let [old, fresh]: [string[], string[]] = [[], []];
  const end = (): void => {
    found.push(...quiet(old, fresh));
    [old, fresh] = [[], []];
  };
  // What has no end of line differs in more than blanks.
  if (lines.some((line) => line.startsWith('\\'))) return hunk;
  for (const line of lines) {
    if (line.startsWith('-')) {
      if (fresh.length > 0) end();
      old.push(line);
    } else if (line.startsWith('+')) fresh.push(line);
    else {
      end();
      found.push(line);
    }
  }
  end();
  return `${[head, ...found].join('\n')}\n`;
}
