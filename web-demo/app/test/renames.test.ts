// The page finds the same renames as git.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { parsePatch } from '../src/parts/diff/patch.js';
import { renames } from '../src/parts/diff/renames.js';
import type { Half } from '../src/parts/diff/renames.js';
import { git, scratch } from './steps.js';

const gone = (path: string, lines: string[], id?: string): Half => half(path, '-', lines, id);
const fresh = (path: string, lines: string[], id?: string): Half => half(path, '+', lines, id);
const half = (path: string, sign: string, lines: string[], id?: string): Half => ({
  path,
  id,
  hunks: lines.length > 0 ? [`@@ some @@\n${lines.map((line) => `${sign}${line}\n`).join('')}`] : [],
});
const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `line number ${1000 + from + at}`);
const told = (before: Half[], after: Half[]): [string, string, number][] =>
  renames(before, after).map(({ from, to, similarity }) => [
    before[from]?.path ?? '',
    after[to]?.path ?? '',
    similarity,
  ]);

test('files of one id or one content are renamed, binary ones too, and keep their names if they can', () => {
  const id = '1c99002aa';
  assert.deepEqual(told([gone('a.png', [], id)], [fresh('b.png', [], id.slice(0, 7))]), [['a.png', 'b.png', 100]]);
  assert.deepEqual(told([gone('a.png', [], '1111111')], [fresh('b.png', [], '2222222')]), []);
  const lines = numbered(3);
  assert.deepEqual(told([gone('x/a', lines), gone('x/b', lines)], [fresh('y/b', lines), fresh('y/a', lines)]), [
    ['x/b', 'y/b', 100],
    ['x/a', 'y/a', 100],
  ]);
  assert.deepEqual(told([gone('empty', [])], [fresh('other', [])]), []);
});

test('files that share half of their bytes are renamed, and those that share less are not', () => {
  const lines = numbered(10);
  assert.deepEqual(told([gone('a', lines)], [fresh('b', [...numbered(5), ...numbered(5, 100)])]), [['a', 'b', 50]]);
  assert.deepEqual(told([gone('a', lines)], [fresh('b', [...numbered(4), ...numbered(6, 100)])]), []);
});

test('the most similar pairs are taken first, each file once', () => {
  const before = [gone('a', numbered(10))];
  const after = [fresh('b', numbered(8)), fresh('c', numbered(9))];
  assert.deepEqual(told(before, after), [['a', 'c', 90]]);
});

test('a rename and its hunks are those of git', async (t) => {
  const folder = await scratch(t);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(folder, 'old.txt'), numbered(60).join('\n'));
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message', 'First');
  await rm(join(folder, 'old.txt'));
  const changed = numbered(60).flatMap((line, at) => (at === 5 ? [] : at === 40 ? [line, 'one more'] : [line]));
  await writeFile(join(folder, 'new.txt'), `${changed.join('\n')}\n`);
  git(folder, 'add', '--all');
  const diff = (...args: string[]): string => `${git(folder, 'diff', '--cached', ...args)}\n`;
  const [known] = parsePatch(diff('--find-renames'));
  assert.equal(known?.status, 'R');
  assert.equal(known.from, 'old.txt');
  assert.equal(known.path, 'new.txt');
  const apart = parsePatch(diff('--no-renames'));
  const [found] = renames(
    apart.filter(({ status }) => status === 'D'),
    apart.filter(({ status }) => status === 'A'),
  );
  const plain = (hunks: string[] = []): string[] => hunks.map((hunk) => hunk.replace(/^(@@ .* @@).*/, '$1').trimEnd());
  assert.deepEqual(plain(found?.hunks), plain(known.hunks));
  assert.ok(Math.abs((found?.similarity ?? 0) - (known.similarity ?? 0)) <= 2);
});

test('thousands of files are compared in bounded time', () => {
  const lines = numbered(200);
  const many = (of: typeof gone, mark: string): Half[] =>
    Array.from({ length: 1500 }, (_, at) =>
      of(`${mark}${at}`, [...lines.slice(0, 90), ...numbered(110, at * 200 + mark.length * 1e6)]),
    );
  const start = performance.now();
  renames(many(gone, 'a'), many(fresh, 'bb'));
  assert.ok(performance.now() - start < 60_000);
});
