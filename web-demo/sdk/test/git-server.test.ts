import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';

import { GitServers } from '../src/client/git-server.js';
import type { Credentials } from '../src/client/git-server.js';
import { Senders } from '../src/client/senders.js';
import type { HttpRequest } from '../src/http.js';
import { server, text } from './listening.js';

const never = new AbortController().signal;
const ADA: Credentials = { username: 'ada', password: 'geh:eim ü' };
const BASIC = `Basic ${Buffer.from('ada:geh:eim ü').toString('base64')}`;
const BYTES = new Uint8Array([48, 0, 255]);

const get = (address: string, service = 'git-upload-pack'): HttpRequest => ({
  forge: 'git',
  method: 'GET',
  path: `${address}/info/refs?service=${service}`,
  moves: false,
});
const post = (address: string, service = 'git-upload-pack'): HttpRequest => ({
  forge: 'git',
  method: 'POST',
  path: `${address}/${service}`,
  body: BYTES,
  moves: service === 'git-receive-pack',
});

/** Answers whoever signs in as Ada, and refuses everybody else. */
function knowsAda(request: IncomingMessage, response: ServerResponse): void {
  response.statusCode = request.headers.authorization === BASIC ? 200 : 401;
  response.end('what it says');
}

/** Gives Ada's credentials, and remembers for which addresses. */
function giving(given: Credentials | undefined = ADA) {
  const asked: string[] = [];
  const credentials = async (address: string) => {
    asked.push(address);
    return given;
  };
  return { asked, servers: new GitServers({ credentials }) };
}

const status = async (servers: GitServers, request: HttpRequest, signal = never): Promise<number | string> => {
  const answer = await servers.send(request, signal);
  return answer.tag === 'response' ? answer.val.status : answer.tag;
};

test('a request has the headers of its service, and its answer comes whole', async (t) => {
  const bodies: string[] = [];
  const { seen, base } = await server(t, async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).end(BYTES);
  });
  const { asked, servers } = giving();
  const a = `${base}/a.git`;
  for (const request of [get(a), post(a), get(a, 'git-receive-pack'), post(a, 'git-receive-pack')]) {
    const answer = await servers.send(request, never);
    assert.ok(answer.tag === 'response' && answer.val.status === 200);
    assert.deepEqual(new Uint8Array(answer.val.body), BYTES);
  }
  const of = ({ method, url, headers }: IncomingMessage) => [
    ...[method, url, headers['content-type'], headers.accept, headers['git-protocol'], headers.authorization],
  ];
  const [upload, receive] = ['application/x-git-upload-pack', 'application/x-git-receive-pack'];
  assert.deepEqual(seen.map(of), [
    ['GET', '/a.git/info/refs?service=git-upload-pack', undefined, '*/*', 'version=2', undefined],
    ['POST', '/a.git/git-upload-pack', `${upload}-request`, `${upload}-result`, 'version=2', undefined],
    ['GET', '/a.git/info/refs?service=git-receive-pack', undefined, '*/*', undefined, undefined],
    ['POST', '/a.git/git-receive-pack', `${receive}-request`, `${receive}-result`, undefined, undefined],
  ]);
  assert.equal(bodies[1]?.length, BYTES.length);
  assert.deepEqual(asked, [], 'a public server asks for nothing');
});

test('who is asked for credentials gives them once, and they are kept for that repository', async (t) => {
  const { seen, base } = await server(t, knowsAda);
  const { asked, servers } = giving();
  const [a, b] = [`${base}/a.git`, `${base}/b.git`];
  for (const request of [post(a, 'git-receive-pack'), get(a), get(b)]) {
    assert.equal(await status(servers, request), 200);
  }
  assert.deepEqual(asked, [a, b]);
  const sent = seen.map(({ headers }) => headers.authorization);
  assert.deepEqual(sent, [undefined, BASIC, BASIC, undefined, BASIC]);
});

test('credentials that are wrong are sent once, and those that have expired are asked for again', async (t) => {
  let expired = false;
  const { seen, base } = await server(t, (request, response) => {
    if (expired) return response.writeHead(401).end();
    knowsAda(request, response);
  });
  const a = `${base}/a.git`;
  const wrong = giving({ username: 'ada', password: 'wrong' });
  assert.equal(await status(wrong.servers, get(a)), 401);
  assert.equal(await status(wrong.servers, get(a)), 401);
  assert.deepEqual([wrong.asked, seen.length], [[a, a], 4]);

  const { asked, servers } = giving();
  assert.equal(await status(servers, get(a)), 200);
  expired = true;
  assert.equal(await status(servers, get(a)), 401);
  expired = false;
  assert.equal(await status(servers, get(a)), 200);
  assert.deepEqual(asked, [a, a]);
});

test('without credentials the refusal is the answer', async (t) => {
  const { seen, base } = await server(t, knowsAda);
  assert.equal(await status(new GitServers(), get(`${base}/a`)), 401);
  const none = new GitServers({ credentials: () => undefined });
  const answer = await none.send(get(`${base}/a`), never);
  assert.equal(answer.tag === 'response' && new TextDecoder().decode(answer.val.body), 'what it says');
  const colon = new GitServers({ credentials: () => ({ username: 'a:b', password: 'c' }) });
  await assert.rejects(colon.send(get(`${base}/a`), never), { kind: 'usage' });
  assert.equal(seen.length, 3);
});

test('no password goes in the clear beyond this machine', async () => {
  const sent: string[] = [];
  const fetch = async (url: URL | string, { headers }: RequestInit): Promise<Response> => {
    const authorization = new Headers(headers).get('authorization');
    sent.push(`${url} ${authorization === null ? 'nobody' : 'ada'}`);
    return new Response('', { status: authorization === null ? 401 : 200 });
  };
  const asked: string[] = [];
  const credentials = (address: string) => {
    asked.push(address);
    return ADA;
  };
  const servers = new GitServers({ credentials, fetch });
  for (const address of ['http://h/a', 'http://localhost.example.com/a', 'http://10.0.0.1/a']) {
    assert.equal(await status(servers, get(address)), 401, address);
  }
  assert.deepEqual([asked, sent.length], [[], 3]);
  const safe = ['https://h:8/a', 'http://localhost:1/a', 'http://[::1]:1/a', 'http://127.1.2.3/a'];
  for (const address of safe) assert.equal(await status(servers, get(address)), 200, address);
  assert.deepEqual(asked, safe);
});

test('a redirect is an answer, and no password goes after it', async (t) => {
  const elsewhere = await server(t, (_, response) => response.end());
  const { base } = await server(t, (request, response) => {
    const isAda = request.headers.authorization === BASIC;
    response.writeHead(isAda ? 302 : 401, isAda ? { location: `${elsewhere.base}/x` } : {}).end();
  });
  const { servers } = giving();
  for (const request of [get(`${base}/a`), post(`${base}/a`, 'git-receive-pack')]) {
    assert.equal(await status(servers, request), 302);
  }
  assert.deepEqual(elsewhere.seen, []);
});

test('what a page cannot see of a redirect is one all the same', async () => {
  const opaque = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' });
  assert.equal(await status(new GitServers({ fetch: async () => opaque }), get('https://h/a')), 301);
});

test('what is no request to a git server is not sent', async () => {
  const servers = new GitServers({ fetch: () => assert.fail('it was sent') });
  for (const path of [
    'https://h/a.git/HEAD',
    'https://h/a.git/info/refs',
    'https://h/a.git/info/refs?service=git-upload-archive',
    'https://h/a.git/info/refs?service=git-upload-pack&x',
    'https://h/a?b/info/refs?service=git-upload-pack',
    'https://h/a#b/info/refs?service=git-upload-pack',
    'https://me:secret@h/a/info/refs?service=git-upload-pack',
    'https:///info/refs?service=git-upload-pack',
    'https://h/a/git-upload-pack',
  ]) {
    await assert.rejects(servers.send({ ...get(''), path }, never), { kind: 'refused' }, path);
  }
  for (const address of ['ssh://git@h/a.git', 'git@h:a.git']) {
    const [message, hint] = ['ssh cannot be reached from here', "use the repository's https address"];
    await assert.rejects(servers.send(get(address), never), { kind: 'usage', message, hint }, address);
  }
});

test('an answer that is too big is not read, and one that is cut is lost', async (t) => {
  const { base } = await server(t, (request, response) => {
    if (request.method === 'POST') return request.destroy();
    response.end(new Uint8Array(1000));
  });
  const servers = new GitServers({ limits: { answer: 999 } });
  assert.equal(await status(servers, get(`${base}/a`)), 'too-big');
  assert.equal(await status(servers, post(`${base}/a`, 'git-receive-pack')), 'lost');
  const silent = await server(t, () => undefined);
  assert.equal(await status(new GitServers({ limits: { silenceMs: 20 } }), get(`${silent.base}/a`)), 'lost');
});

test('who is called off sends nothing more, but waits for what moves a branch', async (t) => {
  const off = new AbortController();
  const { base, seen } = await server(t, (_, response) => {
    off.abort();
    response.end();
  });
  const push = post(`${base}/a`, 'git-receive-pack');
  assert.equal(await status(new GitServers(), push, off.signal), 200);
  await assert.rejects(new GitServers().send(push, off.signal), {
    kind: 'interrupted',
    message: 'interrupted while the git server was asked',
  });
  const again = new AbortController();
  const hangs = await server(t, () => again.abort());
  await assert.rejects(new GitServers().send(get(`${hangs.base}/a`), again.signal), { kind: 'interrupted' });
  assert.equal(seen.length, 1);

  // Nothing was done when the server asked who it is.
  const late = new AbortController();
  const asks = await server(t, knowsAda);
  const credentials = () => {
    late.abort();
    return ADA;
  };
  const leaving = new GitServers({ credentials });
  await assert.rejects(leaving.send(post(`${asks.base}/a`, 'git-receive-pack'), late.signal), { kind: 'interrupted' });
  assert.equal(asks.seen.length, 1);
});

test('each request goes by the sender of its forge', async () => {
  const told: string[] = [];
  const sender = (name: string) => ({
    send: async ({ path }: HttpRequest) => {
      told.push(`${name} ${path}`);
      return { tag: 'lost' } as const;
    },
  });
  const senders = new Senders({ github: sender('one'), git: sender('other') });
  await senders.send({ forge: 'git', method: 'GET', path: 'a', moves: false }, never);
  await senders.send({ forge: 'github', method: 'GET', path: '/b', moves: false }, never);
  assert.deepEqual(told, ['other a', 'one /b']);
  const odd = { forge: 'constructor', method: 'GET', path: '/b', moves: false };
  await assert.rejects(senders.send(odd, never), { kind: 'usage' });
});
