// How hunks are looked at: with more context, and without changes of blanks. git is the oracle.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { withoutBlanks } from '../src/parts/diff/blanks.js';
import { rowsOf } from '../src/parts/diff/patch.js';
import { widened } from '../src/parts/diff/widen.js';
import { linesAt } from '../src/screens/review/place.js';
import { scratch } from './steps.js';

/** The hunks between two texts. */
async function hunksBy(folder: string, old: string, fresh: string, ...options: string[]): Promise<string[]> {
  await writeFile(join(folder, 'old'), old);
  await writeFile(join(folder, 'new'), fresh);
  const args = ['diff', '--no-index', '--no-color', ...options, '--', 'old', 'new'];
  try {
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return [];
  } catch (error) {
    const patch = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    return patch.split(/(?<=\n)(?=@@ )/).slice(1);
  }
}

/** Without the function that git names behind the numbers. */
const plain = (hunk: string): string => hunk.replace(/^(@@ [^@]* @@).*/, '$1');

const text = (change: (line: number) => string | undefined): string =>
  Array.from({ length: 120 }, (_, at) => `${change(at + 1) ?? `line ${at + 1}`}\n`).join('');

test('more context of a hunk is what git shows of it, and no hunk takes the lines of another', async (t) => {
  const folder = await scratch(t);
  const old = text(() => undefined);
  const fresh = text((line) => (line === 2 || line === 40 || line === 119 ? `changed ${line}\nand more` : undefined));
  const lines = fresh.replace(/\n$/, '').split('\n');
  const narrow = await hunksBy(folder, old, fresh);
  assert.deepEqual(widened(narrow, lines, 8).map(plain), (await hunksBy(folder, old, fresh, '-U11')).map(plain));
  const all = widened(narrow, lines, 1000);
  assert.equal(all.length, narrow.length);
  const shown = rowsOf(all).flatMap((row) => row.new ?? []);
  assert.equal(new Set(shown).size, shown.length, 'a line is shown once');
  assert.deepEqual(widened(narrow, lines, 0).map(plain), narrow.map(plain));
});

test('hidden changes of blanks are those that git does not count, and numbers stay', async (t) => {
  const folder = await scratch(t);
  const old = text(() => undefined);
  const fresh = text((line) =>
    line === 10 ? '  line   10' : line === 11 ? 'eleven' : line === 60 ? '\tline 60 ' : undefined,
  );
  const hunks = (await hunksBy(folder, old, fresh)).map(withoutBlanks);
  const kept = (hunks: string[]): unknown[] =>
    rowsOf(hunks).flatMap(({ kind, text, old, new: fresh }) => (kind === 'old' || kind === 'new' ? [[kind, text, old, fresh]] : []));
  assert.deepEqual(kept(hunks), kept(await hunksBy(folder, old, fresh, '-w')));
  assert.equal(hunks.length, 2, 'a hunk that differs in nothing else keeps its number');
});

test('a comment is about lines that one hunk shows, with those around them', async (t) => {
  const folder = await scratch(t);
  const hunks = await hunksBy(folder, text(() => undefined), text((line) => (line === 40 ? 'forty' : undefined)));
  assert.deepEqual(linesAt(hunks, 'a', 'new', 40, 41), {
    on: 'lines',
    path: 'a',
    side: 'new',
    first: 40,
    last: 41,
    lines: ['forty', 'line 41'],
    before: ['line 37', 'line 38', 'line 39'],
    after: ['line 42', 'line 43'],
  });
  assert.equal(linesAt(hunks, 'a', 'new', 40, 60), undefined);
  assert.equal(linesAt(hunks, 'a', 'old', 1, 1), undefined);
});
