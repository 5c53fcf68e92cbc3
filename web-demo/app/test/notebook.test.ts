// The cells of a notebook, and how they change.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cellsOf, compareCells } from '../src/parts/notebook.js';

interface Written {
  id?: string;
  kind?: string;
  source: string | string[];
  outputs?: object[];
}

const notebook = (...cells: Written[]): string =>
  JSON.stringify({
    nbformat: 4,
    cells: cells.map(({ id, kind = 'code', source, outputs = [] }) => ({ id, cell_type: kind, source, outputs })),
  });

const changes = (old: string, fresh: string): unknown[] =>
  compareCells(cellsOf(old) ?? assert.fail(), cellsOf(fresh) ?? assert.fail()).map(({ state, at, hunks }) => [
    state,
    at,
    hunks.join('').split('\n').filter((line) => /^[-+]/.test(line)),
  ]);

test('a cell that moved down with others is the same, and a new one is new', () => {
  const old = notebook({ source: ['a = 1\n', 'b = 2\n'] }, { kind: 'markdown', source: 'Text' });
  const fresh = notebook({ source: 'import c\n' }, { source: 'a = 1\nb = 2\n' }, { kind: 'markdown', source: 'Text' });
  assert.deepEqual(changes(old, fresh), [
    ['new', 1, ['+import c']],
    ['same', 2, []],
    ['same', 3, []],
  ]);
});

test('cells are the same by their ids, whatever they say; without ids by their order', () => {
  const byId = changes(notebook({ id: 'x', source: 'a\n' }, { id: 'y', source: 'b\n' }), notebook({ id: 'y', source: 'B\n' }));
  assert.deepEqual(byId, [
    ['gone', 1, ['-a']],
    ['changed', 1, ['-b', '+B']],
  ]);
  assert.deepEqual(changes(notebook({ source: 'a\n' }), notebook({ source: 'b\n' })), [['changed', 1, ['-a', '+b']]]);
});

test('what a cell has printed is a change, and a text that is no notebook has no cells', () => {
  const [change] = compareCells(
    cellsOf(notebook({ source: 'a' })) ?? [],
    cellsOf(notebook({ source: 'a', outputs: [{ text: '1' }] })) ?? [],
  );
  assert.deepEqual([change?.state, change?.hasOtherOutputs, change?.hunks], ['changed', true, []]);
  for (const wrong of ['', '{', '[]', '{"cells": 1}', 'null']) assert.equal(cellsOf(wrong), undefined, wrong);
});
