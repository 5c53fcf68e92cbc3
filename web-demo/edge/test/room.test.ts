// A repository too large for an object. Other servers may allow more.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import { edge } from './bodies.js';
import type { Body } from './bodies.js';

const MIB = 1 << 20;

let hub: Hub;
let body: Body;

before(async () => {
  hub = await Hub.start();
  body = await edge(hub.base);
});
after(async () => {
  await body.stop();
  hub.close();
});

test('a repository that has no room is refused with what to do, and nothing is left of the sandbox', async () => {
  const { api } = body;
  // Each fits into an answer of GitHub, but together they exceed the room.
  hub.commit(Object.fromEntries([0, 1, 2, 3].map((at) => [`${at}.bin`, randomBytes(17 * MIB)])));
  const from = { github: 'ada/project' };
  const refused = await api.ask('POST', '/sandboxes', api.operator, { name: 'large', from });
  assert.deepEqual([refused.status, refused.body['kind']], [422, 'execution-failed'], refused.text);
  assert.equal(refused.body['detail'], `the objects have more than the ${64 * MIB} bytes allowed`);
  assert.match(`${refused.body['hint']}`, /paths.*depth/);
  assert.deepEqual((await api.ask('GET', '/sandboxes', api.operator)).body['sandboxes'], []);
  const owner = await api.create({ name: 'large', from: { ...from, paths: ['README.md'] } });
  const read = await api.call('large', owner, 'read_file', { path: 'README.md' });
  assert.match(`${read.body['text']}`, /# Project/);
});
