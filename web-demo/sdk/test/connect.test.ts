// A sandbox over HTTP, with misbehaving servers.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { connectSandbox } from '../src/client/connect.js';
import { Fake, USER, cut, done, hang, open, problem, read } from './fake-server.js';
import type { Answer } from './fake-server.js';

test('a request has the token, JSON, and nothing that a browser would add', async (t) => {
  const { fake, sandbox } = await open(t, { 'POST /tools/read_file': [done('one\n')] });
  assert.deepEqual(await read(sandbox), { outcome: 'done', text: 'one\n', structured: { a: [1] }, truncated: false });
  const { headers, body } = fake.asked.at(-1) ?? assert.fail();
  assert.equal(headers.authorization, 'Bearer hunter2');
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
  assert.deepEqual(body, { path: 'a.md' });
  assert.equal(sandbox.name, 'one');
});

test('a token goes to no address where it would travel in the clear, or that is another', async (t) => {
  const wrong: [string, string][] = [
    ['http://example.org/sandboxes/one', 'refused'],
    ['ftp://127.0.0.1/sandboxes/one', 'refused'],
    ['https://ada:secret@example.org/sandboxes/one', 'usage'],
    ['https://example.org/sandboxes/one?x', 'usage'],
    ['https://example.org', 'usage'],
    ['https://example.org/sandboxes/%', 'usage'],
    ['none', 'usage'],
  ];
  const fetch = (): never => assert.fail('it was sent');
  for (const [url, kind] of wrong) {
    await assert.rejects(connectSandbox(url, 'hunter2', { fetch }), (error: Error) => {
      assert.equal(Reflect.get(error, 'kind'), kind, url);
      return !error.message.includes('secret');
    });
  }
  for (const token of ['', 'a b', 'a\nb', 'é']) {
    await assert.rejects(connectSandbox('https://example.org/sandboxes/one', token, { fetch }), { kind: 'usage' });
  }
  const { fake, sandbox } = await open(t, {});
  for (const json of ['{', '[]', '1']) {
    const call = { tool: 'read_file', arguments: json, caller: 'user', ask: false } as const;
    await assert.rejects(sandbox.request('call', call), { kind: 'usage' });
  }
  for (const name of ['..', '.', '']) await assert.rejects(sandbox.review(name), { kind: 'usage' });
  await assert.rejects(sandbox.review('../decisions?x#y'), { kind: 'not-found' });
  assert.deepEqual(fake.rest(), ['GET /waiting/..%2Fdecisions%3Fx%23y']);
});

test('a redirect is not followed', async (t) => {
  const there = new Fake({});
  const location = await there.start(t);
  const lead = (response: ServerResponse): void => void response.writeHead(307, { location }).end();
  const { sandbox } = await open(t, { 'POST /tools/read_file': [lead] });
  await assert.rejects(read(sandbox), { kind: 'refused', message: /another address/ });
  assert.deepEqual(there.asked, []);
});

test('an error is what the server tells, and a tool that refuses is a reply', async (t) => {
  const { sandbox } = await open(t, {
    'POST /tools/read_file': [
      problem(404, 'not-found'),
      problem(422, 'refused'),
      problem(422, 'rejected', { reason: 'no', partial: null }),
      problem(422, 'timeout', { reason: null, partial: 'half' }),
      problem(500, 'storage', { detail: 7 }),
      [502, '<h1>Bad Gateway</h1>', 'text/html'],
      [500],
    ],
  });
  await assert.rejects(read(sandbox), { kind: 'not-found', message: 'it is wrong', hint: 'mend it' });
  await assert.rejects(read(sandbox), { kind: 'refused' });
  const failed = { outcome: 'failed', message: 'it is wrong', hint: 'mend it' };
  assert.deepEqual(await read(sandbox), { ...failed, kind: 'rejected', reason: 'no', partial: null });
  assert.deepEqual(await read(sandbox), { ...failed, kind: 'timeout', reason: null, partial: 'half' });
  for (let at = 0; at < 3; at += 1) {
    await assert.rejects(read(sandbox), { kind: 'lost', message: /may have happened/ });
  }
});

test('what is not as it should be is no answer', async (t) => {
  const pending = { outcome: 'pending', reason: '', hint: '', waits: true, push: null, inside: null };
  const review = { target: '', reference: '', old: null, new: '', base: null, new_branch: false };
  const lists = { commits: [], supplied: 0, files: [], intermediate: [], flags: [] };
  const push = { digest: null, target: '', branch: '', summary: '', warnings: '', whole: '', review: {} };
  const wrong: Answer[] = [
    [200, ''],
    [200, '{"outcome":"done"', 'application/json'],
    [200, new Uint8Array([0x22, 0xff, 0x22]), 'application/json'],
    [200, JSON.stringify({ outcome: 'done', text: '', structured: 1, truncated: false }), 'text/html'],
    [200, null],
    [200, []],
    [200, { outcome: 'done', text: 1, structured: null, truncated: false }],
    [200, { outcome: 'done', text: '', truncated: false }],
    [200, { outcome: 'pending', text: '', structured: null, truncated: false }],
    [202, { ...pending, waits: 'yes' }],
    [202, { ...pending, inside: { severity: 'huge', summary: '', detail: '', reasons: [] } }],
    [202, { ...pending, push }],
    [202, { ...pending, push: { ...push, review: { ...review, ...lists, files: [{ status: 'A' }] } } }],
    [202, { ...pending, push: { ...push, review: { ...review, ...lists, flags: [{ flag: 'a', path: 1 }] } } }],
    [204],
  ];
  const { sandbox } = await open(t, { 'POST /tools/read_file': wrong });
  for (const answer of [...wrong]) await assert.rejects(read(sandbox), { kind: 'lost' }, JSON.stringify(answer));
  const { sandbox: other } = await open(t, {
    'GET /waiting/a': [
      [200, { id: 'a', about: 'push', push: { reasons: [], offer: null, push: { ...push, digest: null } } }],
      [200, { id: 'a', about: 'call', push: {} }],
    ],
    'GET /tools': [[200, { tools: [{ name: 1 }] }]],
    'GET /decisions': [[200, { decisions: {} }]],
    'GET /audit': [[200, '{}', 'application/json']],
    'POST /forks': [[200, {}]],
  });
  await assert.rejects(other.review('a'), { kind: 'lost', message: /not that of gitgate/ });
  await assert.rejects(other.review('a'), { kind: 'lost' });
  await assert.rejects(other.tools(), { kind: 'lost' });
  await assert.rejects(other.decisions(), { kind: 'lost' });
  await assert.rejects(other.audit(), { kind: 'lost' });
  await assert.rejects(other.fork('two'), { kind: 'lost' });
});

test('a connection that is cut leaves open what has happened, unless something was only read', async (t) => {
  const half = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"outcome"');
    setTimeout(() => response.socket?.destroy(), 20);
  };
  const { sandbox } = await open(t, { 'POST /tools/read_file': [cut, half], 'GET /tools': [cut] });
  await assert.rejects(read(sandbox), { kind: 'lost', message: /may have happened/, hint: /history/ });
  await assert.rejects(read(sandbox), { kind: 'lost', message: /may have happened/ });
  await assert.rejects(sandbox.tools(), { kind: 'lost', message: 'the server does not answer' });
  const nowhere = connectSandbox('http://127.0.0.1:9/sandboxes/one', 'hunter2');
  await assert.rejects(nowhere, { kind: 'lost', hint: /look whether the address is right/ });
});

test('a server that hangs is waited for as long as was said', async (t) => {
  const { sandbox } = await open(t, { 'POST /tools/read_file': [hang], 'GET /tools': [hang] });
  const late = sandbox.call('read_file', { path: 'a.md' }, { ...USER, timeoutMs: 50 });
  await assert.rejects(late, { kind: 'timeout', message: /longer than 50 ms: .*may have happened/ });
  const off = new AbortController();
  const called = sandbox.call('read_file', { path: 'a.md' }, { ...USER, signal: off.signal });
  setTimeout(() => off.abort(), 20);
  await assert.rejects(called, { kind: 'interrupted', message: /may have happened/ });
  await assert.rejects(sandbox.request('tools', null, { timeoutMs: 20 }), { kind: 'timeout', message: /nothing has/ });
  const gone = sandbox.tools();
  await sandbox.close();
  await assert.rejects(gone, { kind: 'interrupted', message: 'the sandbox was closed' });
  await assert.rejects(sandbox.tools(), { kind: 'interrupted', hint: 'open it again' });
  const hanging = new Fake({ 'GET /waiting': [hang] });
  const url = await hanging.start(t);
  await assert.rejects(connectSandbox(url, 'hunter2', { timeoutMs: 20 }), { kind: 'timeout' });
  await assert.rejects(connectSandbox(url, 'hunter2', { signal: AbortSignal.timeout(20) }), { kind: 'interrupted' });
});

test('what only this server has is asked for as the interface says', async (t) => {
  const bytes = new Uint8Array([1, 2, 255]);
  const { fake, sandbox } = await open(t, {
    'GET /audit': [[200, 'log\n', 'text/plain; charset=utf-8']],
    'GET /settings': [[200, { push: 'manual' }]],
    'POST /bundle': [[200, bytes, 'application/octet-stream']],
    'POST /forks': [[201, {}], problem(409, 'sandbox-exists')],
    'POST /waiting/a/decision': [
      [204],
      [202, { outcome: 'pending', reason: 'r', hint: 'h', waits: true, push: null, inside: null }],
    ],
  });
  assert.equal(await sandbox.audit(), 'log\n');
  assert.deepEqual(await sandbox.settings(), { push: 'manual' });
  const exported = await sandbox.exportBundle('main', { digest: 'd' });
  assert.ok(exported.outcome === 'done');
  assert.deepEqual(exported.bytes, bytes);
  assert.deepEqual(fake.asked.at(-1)?.body, { branch: 'main', digest: 'd' });
  await sandbox.fork('two');
  await assert.rejects(sandbox.fork('two'), { kind: 'sandbox-exists' });
  assert.equal(await sandbox.decide('a', { say: 'approve', remember: true }), null);
  await assert.rejects(sandbox.reject('a', 'why'), { kind: 'not-approved', message: 'r', hint: 'h' });
  assert.deepEqual(fake.asked.at(-1)?.body, { say: 'reject', reason: 'why' });
  await assert.rejects(sandbox.fsck(), { kind: 'usage' });
  await assert.rejects(sandbox.compact(), { kind: 'usage' });
});

test('requests can be sent by something else than the fetch of this program', async (t) => {
  const { fake, sandbox } = await open(
    t,
    { 'POST /tools/read_file': [done('one\n')] },
    {
      fetch: function (this: unknown, input, init) {
        assert.equal(this, undefined);
        assert.equal(init?.redirect, 'manual');
        return fetch(input, init);
      },
    },
  );
  assert.equal((await read(sandbox)).outcome, 'done');
  assert.equal(fake.asked.length, 2);
});
