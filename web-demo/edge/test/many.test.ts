// Many sandboxes, and many clients of one, on each server of the interface. GITGATE_SANDBOXES and
// GITGATE_SECONDS set the number and the duration.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { each } from './each.js';

const SANDBOXES = Number(process.env['GITGATE_SANDBOXES'] ?? 30);
const SECONDS = Number(process.env['GITGATE_SECONDS'] ?? 2);
const CLIENTS = 16;

each((here) => {
  test(`${SANDBOXES} sandboxes, called in turn, have each what was put there`, async () => {
    const { api } = here.body;
    const owners: string[] = [];
    for (let at = 0; at < SANDBOXES; at += 1) owners.push(await api.create({ name: `many-${at}` }));
    for (const round of ['one', 'two']) {
      for (const [at, owner] of owners.entries()) {
        const content = `${at} ${round}\n`;
        const written = await api.call(`many-${at}`, owner, 'write_file', { path: 'own.md', content });
        assert.equal(written.status, 200, written.text);
      }
      for (const [at, owner] of owners.entries()) {
        const read = await api.call(`many-${at}`, owner, 'read_file', { path: 'own.md' });
        assert.equal(read.body['text'], `${at} ${round}\n`);
      }
    }
  });

  test(`${CLIENTS} clients of one sandbox, for ${SECONDS} seconds, are each answered`, async () => {
    const { api } = here.body;
    const owner = await api.create({ name: 'busy' });
    const until = performance.now() + SECONDS * 1000;
    const client = async (at: number): Promise<number> => {
      const token = await api.token('busy', owner, 'agent', { note: `client ${at}` });
      const path = `client-${at}.md`;
      let calls = 0;
      for (; performance.now() < until; calls += 1) {
        const written = await api.call('busy', token, 'write_file', { path, content: `${calls}\n` });
        assert.equal(written.status, 200, written.text);
        const read = await api.call('busy', token, 'read_file', { path });
        assert.equal(read.body['text'], `${calls}\n`);
      }
      return calls;
    };
    const calls = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
    assert.ok(Math.min(...calls) > 0, 'everybody had a turn');
  });
});
