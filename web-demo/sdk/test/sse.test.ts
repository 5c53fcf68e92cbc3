import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Events } from '../src/client/sse.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('events come whole, wherever the pieces of a stream end', () => {
  const text =
    '\ufeff: hello\r\nevent: waiting\rdata: {"ä":\ndata:1}\r\n\r\ndata\n\nid: 7\nretry: 9\n\nevent: x\ndata:  y\n\ndata: cut';
  const expected = [
    { event: 'waiting', data: '{"ä":\n1}' },
    { event: 'message', data: '' },
    { event: 'x', data: ' y' },
  ];
  const all = bytes(text);
  for (const size of [1, 2, 3, 7, all.length]) {
    const events = new Events();
    const found = [];
    for (let at = 0; at < all.length; at += size) found.push(...events.take(all.subarray(at, at + size)));
    assert.deepEqual(found, expected, `in pieces of ${size}`);
  }
});

test('a comment is no event, and an event without data is none', () => {
  assert.deepEqual(new Events().take(bytes(': still here\n\nevent: waiting\n\ndata: a\n\n')), [
    { event: 'message', data: 'a' },
  ]);
});

test('an event that does not end is given up', () => {
  const events = new Events();
  const piece = bytes('a'.repeat(1 << 20));
  assert.throws(
    () => {
      for (let at = 0; at < 100; at += 1) events.take(piece);
    },
    { kind: 'refused' },
  );
});
