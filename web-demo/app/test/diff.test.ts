// The diff, from git's patches.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { parsePatch, rowsOf } from '../src/parts/diff/patch.js';
import { aligned, isOneSided, split, textOf } from '../src/parts/diff/sides.js';
import { words } from '../src/parts/diff/words.js';
import { git, scratch } from './steps.js';

/** Pseudo-random numbers, the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

function edited(lines: string[], below: (below: number) => number): string[] {
  return lines.flatMap((line) => {
    const chance = below(12);
    if (chance === 0) return [];
    if (chance === 1) return [line, `added ${below(100)}`];
    return chance === 2 ? [`${line} changed`] : [line];
  });
}

test('what git writes is read back: both sides have their lines, their numbers and their pairs', async (t) => {
  const folder = await scratch(t);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  for (let seed = 1; seed <= 20; seed += 1) {
    const below = numbers(seed);
    const before = Array.from({ length: 5 + below(120) }, () => `line ${below(30)}`);
    const after = edited(before, below);
    const end = (): string => (below(3) === 0 ? '' : '\n');
    const [old, fresh] = [before.join('\n') + end(), after.join('\n') + end()];
    await writeFile(join(folder, 'old'), old);
    await writeFile(join(folder, 'new'), fresh);
    const id = (name: string): string => git(folder, 'hash-object', '-w', name);
    const [patch] = parsePatch(`${git(folder, 'diff', id('old'), id('new'))}\n`);
    if (!patch) {
      assert.equal(old, fresh);
      continue;
    }
    // Without the enclosing function, which only one side shows.
    const rows = rowsOf(patch.hunks.map((hunk) => hunk.replace(/^(@@ .*? @@).*/, '$1')));
    const { a, b } = aligned(rows);
    assert.equal(a.rows.length, b.rows.length, 'as many lines on both sides');
    for (const [side, lines, which] of [
      [a, before, 'old'],
      [b, after, 'new'],
    ] as const) {
      for (const row of side.rows) {
        const number = row[which];
        if (number !== undefined) assert.equal(row.text, lines[number - 1], `line ${number} of ${which}`);
      }
    }
    a.rows.forEach((row, at) => {
      if (row.kind === 'same') assert.equal(b.rows[at]?.text, row.text, 'the same stands beside the same');
    });
    const merged = split(rows);
    let [fromA, fromB] = [0, 0];
    for (const change of [
      ...merged.changes,
      { fromA: textOf(merged.a).length, fromB: textOf(merged.b).length, toA: 0, toB: 0 },
    ]) {
      const strip = (text: string): string => text.replace(/^@@.*$/gm, '');
      const [left, right] = [textOf(merged.a).slice(fromA, change.fromA), textOf(merged.b).slice(fromB, change.fromB)];
      assert.equal(strip(left), strip(right), 'between two changes both sides are the same');
      [fromA, fromB] = [change.toA, change.toB];
    }
  }
});

test('names that git quotes, new, deleted and binary files are read', async (t) => {
  const folder = await scratch(t);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const names = ['a "b"\t\\.md', 'with space.md', 'grüße.md', 'gone.md', 'bin'];
  for (const name of names) await writeFile(join(folder, name), name === 'bin' ? Buffer.from([0, 1]) : 'one\n');
  const commit = ['-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '--quiet', '--all', '--message', 'm'];
  git(folder, 'add', '.');
  git(folder, ...commit);
  for (const name of names) await writeFile(join(folder, name), name === 'bin' ? Buffer.from([0, 2]) : 'two\n');
  await writeFile(join(folder, 'new.md'), 'new\n');
  git(folder, 'add', '.');
  git(folder, 'rm', '--quiet', '--force', 'gone.md');
  git(folder, ...commit);
  const found = parsePatch(`${git(folder, 'show')}\n`);
  const shown = Object.fromEntries(found.map(({ path, status, added, deleted }) => [path, [status, added, deleted]]));
  assert.deepEqual(shown, {
    'a "b"\t\\.md': ['M', 1, 1],
    'with space.md': ['M', 1, 1],
    'grüße.md': ['M', 1, 1],
    'gone.md': ['D', 0, 1],
    'new.md': ['A', 1, 0],
    bin: ['M', 0, 0],
  });
  const fresh = found.find(({ path }) => path === 'new.md');
  assert.ok(fresh && isOneSided(rowsOf(fresh.hunks)), 'a new file has one side');
});

test('a content makes neither a file nor a hunk, whatever JavaScript takes for the end of a line', () => {
  const added = ['one\u2028diff --git a/b.md b/b.md', 'two\u2029@@ -1 +1 @@', 'three\r@@ -1 +1 @@'];
  const head = 'diff --git a/a.md b/a.md\nnew file mode 100644\n--- /dev/null\n+++ b/a.md\n';
  const found = parsePatch(`${head}@@ -0,0 +1,3 @@\n${added.map((line) => `+${line}\n`).join('')}`);
  assert.deepEqual(
    found.map(({ path, hunks, added }) => [path, hunks.length, added]),
    [['a.md', 1, 3]],
  );
});

test('words that differ are marked, and lines that have little in common are not', () => {
  const [old, fresh] = ['return place.name + " degrees";', 'return place.title + " degrees";'];
  const [[gone], [come]] = words(old, fresh);
  assert.deepEqual([old.slice(...(gone ?? [0, 0])), fresh.slice(...(come ?? [0, 0]))], ['name', 'title']);
  assert.deepEqual(words('one two three', 'completely other words here'), [[], []]);
});
