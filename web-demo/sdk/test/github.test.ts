import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';

import { Base } from '../src/client/base.js';
import { GitHub } from '../src/client/github.js';
import type { GitHubOptions } from '../src/client/github.js';
import type { HttpRequest } from '../src/http.js';
import { server, text } from './listening.js';

const never = new AbortController().signal;
const get: HttpRequest = { forge: 'github', method: 'GET', path: '/repos/a/b', moves: false };
const patch: HttpRequest = {
  forge: 'github',
  method: 'PATCH',
  path: '/repos/a/b',
  body: new TextEncoder().encode('{"a":1}'),
  moves: true,
};
const token = () => 'hunter2';

const github = (base: string, more: GitHubOptions = {}) => new GitHub({ base, token, ...more });

test('a request has address, token and headers, and its answer comes whole', async (t) => {
  let body = '';
  const { seen, base } = await server(t, async (request, response) => {
    body = await text(request);
    response.writeHead(201, { date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'x-ratelimit-remaining': '7' });
    response.end('{"b":2}');
  });
  const answer = await github(`${base}/api/v3/`).send(patch, never);
  assert.equal(answer.tag, 'response');
  assert.equal(answer.val.status, 201);
  assert.equal(answer.val.headers['x-ratelimit-remaining'], '7');
  assert.equal(new TextDecoder().decode(answer.val.body), '{"b":2}');
  const { method, url, headers } = seen[0] ?? assert.fail();
  assert.deepEqual([method, url, body], ['PATCH', '/api/v3/repos/a/b', '{"a":1}']);
  assert.equal(headers.authorization, 'Bearer hunter2');
  assert.equal(headers.accept, 'application/vnd.github+json');
  assert.equal(headers['content-type'], 'application/json');
});

test('a redirect is an answer, and the token goes nowhere else', async (t) => {
  const elsewhere = await server(t, (_, response) => response.end());
  const { base } = await server(t, (_, response: ServerResponse) => {
    response.writeHead(302, { location: `${elsewhere.base}/x` }).end();
  });
  for (const request of [get, patch]) {
    const answer = await github(base).send(request, never);
    assert.equal(answer.tag === 'response' && answer.val.status, 302);
  }
  assert.deepEqual(elsewhere.seen, []);
});

test('a path never leads to another server', async (t) => {
  const { base, seen } = await server(t, (_, response) => response.end());
  for (const path of ['https://elsewhere.example/x', '@elsewhere.example/', 'x', '']) {
    await assert.rejects(github(base).send({ ...get, path }, never), { kind: 'refused' });
  }
  assert.equal(new URL(new Base(base).url('//elsewhere.example/x')).origin, base);
  assert.equal(new Base('https://h/api/v3').url('/graphql'), 'https://h/api/graphql');
  assert.deepEqual(seen, []);
});

test('no token goes in the clear beyond this machine', () => {
  for (const base of ['http://127.0.0.1:1', 'http://localhost', 'http://[::1]:1/x', 'https://h:8/api']) new Base(base);
  for (const base of ['http://api.github.com', 'http://localhost.example.com', 'http://10.0.0.1', 'ftp://127.0.0.1']) {
    assert.throws(() => new Base(base), { kind: 'refused' });
  }
});

test('an address that is refused is not repeated', () => {
  for (const base of [
    '',
    'hunter2',
    'https://u:hunter2@h',
    'https://h/?hunter2',
    'https://h/#hunter2',
    'https://h/?',
  ]) {
    assert.throws(
      () => new Base(base),
      (error: Error) => !error.message.includes('hunter2') && Reflect.get(error, 'kind') === 'usage',
    );
  }
});

test('a connection that is cut is lost, before and within the answer', async (t) => {
  const { base, seen } = await server(t, (request, response) => {
    if (request.method === 'GET') return request.destroy();
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  assert.deepEqual(await github(base).send(get, never), { tag: 'lost' });
  assert.deepEqual(await github(base).send(patch, never), { tag: 'lost' });
  assert.equal(seen.length, 2, 'nothing is sent twice');
});

test('a server that is not there is lost', async () => {
  assert.deepEqual(await github('http://127.0.0.1:9').send(get, never), { tag: 'lost' });
});

test('a huge answer is too big, and not read to its end', async (t) => {
  let closed: (() => void) | undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const { base } = await server(t, (_, response) => {
    response.on('close', () => closed?.());
    const write = (): void => {
      while (response.write(new Uint8Array(1000)));
    };
    response.on('drain', write);
    write();
  });
  assert.deepEqual(await github(base, { limits: { answer: 50_000 } }).send(get, never), { tag: 'too-big' });
  await isClosed;
});

test('a server that says nothing any more is lost', async (t) => {
  const late = { tag: 'lost', val: 'it took too long' };
  const { base } = await server(t, (_, response) => {
    response.write('a');
  });
  assert.deepEqual(await github(base, { limits: { silenceMs: 20 } }).send(get, never), late);
  assert.deepEqual(await github(base, { limits: { wholeMs: 20 } }).send(patch, never), late);
});

test('who is called off sends nothing more, but waits for what moves a branch', async (t) => {
  const off = new AbortController();
  const { base, seen } = await server(t, (request, response) => {
    off.abort();
    if (request.method === 'PATCH') response.end('{}');
  });
  assert.equal((await github(base).send(patch, off.signal)).tag, 'response');
  const again = new AbortController();
  const hangs = await server(t, () => again.abort());
  await assert.rejects(github(hangs.base).send(get, again.signal), { kind: 'interrupted' });
  await assert.rejects(github(base).send(patch, off.signal), { kind: 'interrupted' });
  assert.equal(seen.length, 1);
});

test('without a token what is public is read, and nothing is written', async (t) => {
  const { base, seen } = await server(t, (_, response) => response.end());
  const none = github(base, { token: () => undefined });
  assert.equal((await none.send(get, never)).tag, 'response');
  assert.equal(seen[0]?.headers.authorization, undefined);
  await assert.rejects(none.send(patch, never), { kind: 'usage', message: 'there is no token for GitHub' });
  assert.equal(seen.length, 1);
});
