// The example of an edge function that plays an agent.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Hub } from '../../sdk/test/hub.js';
import { bundle } from '../../../scripts/build.mjs';
import { start } from '../../../scripts/workerd.mjs';
import { Api, words } from './api.js';
import { OPERATOR, ROOT, vars } from './bodies.js';

test('a worker that is bound to the sandboxes proposes a push, and a person has it land', async () => {
  const hub = await Hub.start();
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-agent-'));
  const dist = join(ROOT, '.test/agent');
  await bundle('example/agent.ts', dist, 'agent');
  const options = { folder, dist: join(ROOT, 'dist'), vars: vars(hub.base) };
  let worker = await start(options);
  const end = async (): Promise<void> => {
    worker.child.kill('SIGKILL');
    await worker.ended;
  };
  try {
    const api = new Api(worker.url, OPERATOR);
    const owner = await api.create({ name: 'site', from: { github: 'ada/project' }, pushTo: 'main' });
    const token = await api.token('site', owner, 'agent');
    await end();
    const caller = { name: 'agent', dist, vars: { SANDBOX: 'site', AGENT_TOKEN: token } };
    worker = await start({ ...options, callers: [caller] });
    api.url = worker.url;
    const answer = await fetch(worker.urls.get('agent') ?? '', { method: 'POST', body: 'One more line' });
    assert.deepEqual(await answer.json(), { outcome: 'pending', reason: 'nobody has decided yet' });
    const asked = await api.ask('POST', '/sandboxes/site/pushes', owner, {});
    const digest = words(asked.body['push']?.['digest']);
    const pushed = await api.ask('POST', '/sandboxes/site/pushes', owner, { digest });
    assert.equal(pushed.body['structured']?.['status'], 'success', pushed.text);
    assert.deepEqual(hub.files(), { 'README.md': '# Project\nOne more line\n' });
  } finally {
    await end();
    hub.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a sandbox that cannot be opened says why, and can be removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-broken-'));
  const options = { folder, dist: join(ROOT, 'dist'), vars: vars('http://127.0.0.1:9') };
  let worker = await start(options);
  const end = async (): Promise<void> => {
    worker.child.kill('SIGKILL');
    await worker.ended;
  };
  try {
    const api = new Api(worker.url, OPERATOR);
    const owner = await api.create({ name: 'site' });
    await end();
    worker = await start({ ...options, vars: { ...options.vars, CONFIG: 'nonsense = 1' } });
    api.url = worker.url;
    const refused = await api.call('site', owner, 'git_status', {});
    assert.match(refused.text, /nonsense/);
    const kept = await api.ask('POST', '/sandboxes/site/removal', owner, {});
    assert.match(kept.text, /nonsense/, 'nobody knows whether work would be lost');
    assert.equal((await api.ask('POST', '/sandboxes/site/removal', owner, { force: true })).status, 204);
    assert.deepEqual((await api.ask('GET', '/sandboxes', api.operator)).body['sandboxes'], []);
  } finally {
    await end();
    await rm(folder, { recursive: true, force: true });
  }
});
