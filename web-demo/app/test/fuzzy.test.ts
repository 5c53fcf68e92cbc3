// Fuzzy search by a few letters.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { find, fit } from '../src/parts/fuzzy.js';

const first = (wanted: string, ...all: string[]): string | undefined => find(wanted, all, (one) => one, 1)[0]?.one;
/** The text with the matched letters in brackets. */
function marked(wanted: string, text: string): string {
  const at = new Set(fit(wanted, text)?.at);
  return [...text].map((letter, place) => (at.has(place) ? `[${letter}]` : letter)).join('');
}

test('all letters are in the text in their order, whatever their case', () => {
  assert.equal(marked('ReadMe', 'README.md'), '[R][E][A][D][M][E].md');
  assert.equal(fit('emdaer', 'README.md'), undefined);
  assert.equal(fit('readmee', 'README.md'), undefined);
  assert.deepEqual(fit('', 'a')?.at, []);
  assert.equal(first('é', 'Évora', 'e'), 'Évora');
  // A lower-case letter that is longer than its capital must not shift the others.
  assert.equal(marked('d', 'İd'), 'İ[d]');
});

test('each word is looked for on its own', () => {
  assert.equal(marked('main src', 'src/main.ts'), '[s][r][c]/[m][a][i][n].ts');
  assert.equal(fit('main test', 'src/main.ts'), undefined);
});

test('the letters that are meant are marked: word starts, path parts, and those side by side', () => {
  assert.equal(marked('fs', 'parts/fuzzy-search.ts'), 'parts/[f]uzzy-[s]earch.ts');
  assert.equal(marked('ws', 'src/screens/workspace/shell.tsx'), 'src/screens/[w]orkspace/[s]hell.tsx');
  assert.equal(marked('oF', 'state/openFile.ts'), 'state/[o]pen[F]ile.ts');
  assert.equal(marked('able', 'far/bowl/e/table.md'), 'far/bowl/e/t[a][b][l][e].md');
  assert.equal(marked('ab', 'a_long_way/ab.md'), 'a_long_way/[a][b].md');
});

test('the best is the first', () => {
  assert.equal(first('main', 'src/domain.ts', 'src/main.ts'), 'src/main.ts');
  assert.equal(first('smain', 'src/a/market/inner.md', 'src/domain.ts'), 'src/domain.ts');
  assert.equal(first('file', 'file/other.ts', 'other/file.ts'), 'other/file.ts');
  assert.equal(first('audit', 'a/unused/dir/it.ts', 'src/audit.tsx'), 'src/audit.tsx');
  assert.equal(first('readme', 'docs/guide/README.md', 'README.md'), 'README.md');
  assert.equal(first('gh', 'weight.md', 'go-here.md'), 'go-here.md');
  assert.equal(first('a', 'one/a', 'two/a'), 'one/a', 'of equal ones the first stays so');
});

test('ten thousand files are searched while a person types', () => {
  const paths = Array.from(
    { length: 10_000 },
    (_, at) => `packages/part-${at % 97}/src/components/view${at}/index.test.tsx`,
  );
  const began = performance.now();
  for (let length = 1; length <= 10; length += 1) find('pkg77index'.slice(0, length), paths, (one) => one, 50);
  const each = (performance.now() - began) / 10;
  assert.ok(each < 250, `a key takes ${Math.round(each)} ms`);
});
