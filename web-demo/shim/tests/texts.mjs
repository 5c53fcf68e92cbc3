// Texts cross the shim as the Encoding Standard has them in UTF-8, whatever they are made of and however long.

import assert from 'node:assert/strict';

import { MemoryStorage } from './storage.mjs';

/** One character each of one to four bytes, and halves of a surrogate pair that stand alone. */
const KINDS = ['a', '\u00e9', '\u20ac', '\u{1f600}', '\ud83d', '\ude00'];

/** A component that answers a call with its arguments. */
const echo = (engine) => ({
  instance: (memory) => {
    const { session } = engine.instance(memory);
    const call = ({ arguments: text }) => ({
      tag: 'done',
      val: { outcome: { tag: 'ok', val: { text, structured: '{}', truncated: false } }, recordSize: 0n, packSize: 0n },
    });
    return { session: { ...session, call } };
  },
});

export function texts(shim, engine) {
  const files = { create: () => undefined };
  const sandbox = new shim.Host(echo(engine), { who: 'ada' }, files).create(new MemoryStorage(), { name: 'one' }, {});
  const arrives = (text) => {
    const call = sandbox.call({ tool: 'read_file', arguments: text, caller: 'user' });
    const { done } = call.advance();
    assert.equal(done.tag, 'result', JSON.stringify(done));
    assert.equal(done.val.text, text.toWellFormed(), `${text.length} units of UTF-16`);
  };
  for (const kind of KINDS) {
    for (const length of [0, 1, 1023, 1024, 1025, 5000]) {
      arrives(kind.repeat(length));
      // What takes more bytes than units begins late, or has ASCII on either side.
      for (const ascii of [1, 1022, 1023, 1024, 4000]) {
        arrives('a'.repeat(ascii) + kind.repeat(length));
        arrives('a'.repeat(ascii) + kind + 'a'.repeat(length));
      }
    }
  }
}
