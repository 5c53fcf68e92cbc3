import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from '../src/desk/parse.js';
import { Rate } from '../src/desk/rate.js';
import { agentOf, ofExtension } from '../src/desk/whence.js';

test('what an agent says is read field by field, and anything else is nothing', () => {
  assert.deepEqual(parse({ type: 'hello', name: ' Robot ', origin: 'https://a.example', agent: 'b' }), {
    type: 'hello',
    name: 'Robot',
  });
  assert.deepEqual(parse({ type: 'call', id: 1, tool: 'git_push', args: { a: 1 }, caller: 'user', digest: 'x' }), {
    type: 'call',
    id: 1,
    tool: 'git_push',
    args: { a: 1 },
    wait: 'pending',
  });
  assert.deepEqual(parse({ type: 'cancel', id: 7 }), { type: 'cancel', id: 7 });
  for (const wrong of [
    null,
    'hello',
    [],
    {},
    { type: 'hello' },
    { type: 'hello', name: ' ' },
    { type: 'hello', name: 'x'.repeat(81) },
    { type: 'hello', name: 'x', sandbox: 1 },
    { type: 'tools', id: 1.5 },
    { type: 'call', id: 1, tool: 'x' },
    { type: 'call', id: 1, tool: 'x', args: [] },
    { type: 'call', id: '1', tool: 'x', args: {} },
    { type: 'decide', id: 1 },
    { type: 'request', id: 1, method: 'decide' },
  ]) {
    assert.equal(parse(wrong), undefined, JSON.stringify(wrong));
  }
});

test('an agent has a burst of messages, and then so many a second', () => {
  const rate = new Rate(0);
  const take = (now: number): number => {
    let count = 0;
    while (rate.take(now)) count += 1;
    return count;
  };
  assert.equal(take(0), 1000);
  assert.equal(take(500), 100);
  assert.equal(take(501), 0);
  assert.equal(take(1e6), 1000);
});

test('an agent is who the browser says, and one without an origin is nobody', () => {
  const id = 'ourselves';
  Object.assign(globalThis, { chrome: { runtime: { id } } });
  const tab = {} as chrome.tabs.Tab;
  const page = { id, tab, frameId: 0, origin: 'https://a.example', url: 'https://a.example/' };
  assert.equal(agentOf(page), 'https://a.example');
  assert.equal(agentOf({ ...page, origin: 'null' }), undefined);
  assert.equal(agentOf({ ...page, frameId: 3 }), undefined);
  assert.equal(agentOf({ ...page, id: 'another' }), undefined);
  assert.equal(agentOf({ id, tab, frameId: 0 }), undefined);
  assert.equal(agentOf(undefined), undefined);
  assert.equal(ofExtension({ id: 'another' }), 'chrome-extension://another');
  assert.equal(ofExtension({ id: 'another', origin: 'https://a.example' }), undefined);
  assert.equal(ofExtension({ id }), undefined);
  assert.equal(ofExtension({ origin: 'https://a.example' }), undefined);
});
