// Letters of another script in a name that a reader takes for Latin ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isPlain, pieces, visible } from '../src/parts/stand-in.js';

test('a letter of another script in a Latin word has a stand-in with its number', () => {
  assert.equal(visible('src/m\u0430in.ts', 'name'), 'src/m<U+0430>in.ts');
  assert.equal(visible('\u0441\u043enfig', 'name'), '<U+0441><U+043E>nfig');
  assert.equal(visible('l\u03bfg_in', 'name'), 'l<U+03BF>g_in');
  assert.equal(visible('\u{1d465}ray.js', 'name'), '<U+1D465>ray.js');
  assert.equal(visible('\u0441\u043e\u0440\u0435.ts', 'name'), '<U+0441><U+043E><U+0440><U+0435>.ts');
  assert.equal(visible('m\u0430\u202eb ', 'name'), 'm<U+0430><U+202E>b<U+0020>', 'beside what screens hide');
  assert.deepEqual(pieces('m\u0430in', 'name')[1], {
    label: 'U+0430',
    title: 'U+0430 a letter of Cyrillic that looks like a Latin letter',
    of: '\u0430',
  });
});

test('names in other scripts stay as they are', () => {
  for (const name of [
    'main.ts',
    'na\u00efve/\u0131\u015f\u0131k.md',
    '\u043f\u043b\u0430\u043d.md',
    'docs/\u041c\u043e\u0441\u043a\u0432\u0430 \u0438 \u0430.md',
    '\u0394t_\u03bd.py',
    '\u6587\u4ef6.txt',
    'a\uff11.md',
  ]) {
    assert.ok(isPlain(name, 'name'), name);
  }
});

test('only names are looked at in this way', () => {
  assert.ok(isPlain('m\u0430in', 'line'));
  assert.ok(isPlain('m\u0430in', 'text'));
});
