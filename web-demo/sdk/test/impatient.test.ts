import assert from 'node:assert/strict';
import { test } from 'node:test';

import { impatient } from '../src/client/impatient.js';
import type { Given, Need } from '../src/protocol.js';

const http: Need = { tag: 'http', val: { forge: 'github', method: 'GET', path: '/x', moves: false } };
const sleep: Need = { tag: 'sleep', val: 1000 };
const lost: Given = { tag: 'http', val: { tag: 'lost' } };
const answer: Given = { tag: 'http', val: { tag: 'response', val: { status: 503, headers: {}, body: new Uint8Array() } } };
const { signal } = new AbortController();

/** The performed needs, for these answers of the server, and the results. */
async function play(needs: Need[], server: Given[]): Promise<{ done: string[]; given: Given[] }> {
  const done: string[] = [];
  const perform = impatient(({ tag }) => {
    done.push(tag);
    return Promise.resolve(tag === 'sleep' ? { tag } : (server.shift() ?? assert.fail('it is asked too often')));
  });
  const given: Given[] = [];
  for (const need of needs) given.push(await perform(need, signal));
  return { done, given };
}

test('a server that does not answer at first is asked once, and nobody waits for it', async () => {
  const { done, given } = await play([http, sleep, http, sleep, http], [lost]);
  assert.deepEqual(done, ['http']);
  assert.deepEqual(given, [lost, { tag: 'sleep' }, lost, { tag: 'sleep' }, lost]);
});

test('a server that has answered is waited for, and asked again', async () => {
  const { done, given } = await play([http, sleep, http, sleep, http], [answer, lost, answer]);
  assert.deepEqual(done, ['http', 'sleep', 'http', 'sleep', 'http']);
  assert.deepEqual(given, [answer, { tag: 'sleep' }, lost, { tag: 'sleep' }, answer]);
});
