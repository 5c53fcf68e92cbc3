// The authors of a file's lines.

import { number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { MOST_TEXT } from './room.js';
import { mine } from './session.js';

export interface BlamedLine {
  number: number;
  text: string;
  commit: Row;
  /** Whether it starts a run of lines from one commit. */
  isFirst: boolean;
}

export interface Blamed {
  lines: BlamedLine[];
  /** Whether the tool left out further lines. */
  isCut: boolean;
}

export async function blame(path: string, from = 1): Promise<Blamed> {
  const start = from > 1 ? { start_line: from } : {};
  const found = row(await mine('git_blame', { path, max_bytes: MOST_TEXT, ...start }));
  const commits = rows(found.commits);
  const lines = rows(found.lines).flatMap((run) => {
    const commit = commits[number(run.commit)] ?? {};
    const all = text(run.content).replace(/\n$/, '').split('\n');
    return all.map((line, at) => ({ number: number(run.start) + at, text: line, commit, isFirst: at === 0 }));
  });
  return { lines, isCut: found.truncated === true };
}
