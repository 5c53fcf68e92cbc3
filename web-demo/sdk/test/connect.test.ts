// A sandbox over HTTP, with servers that are not as they should be.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import { connectSandbox } from '../src/client/connect.js';
import type { ConnectOptions } from '../src/client/connect.js';
import { Listening } from '../src/client/listening.js';
import type { Sandbox } from '../src/client/sandbox.js';
import { Server as Connection } from '../src/client/server.js';
import type { Question, Waiting } from '../src/question.js';

interface Asked {
  method: string;
  /** Below the address of the sandbox. */
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

type Answer = [status: number, body?: unknown, type?: string] | ((response: ServerResponse) => void);

class Fake {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  /** What is answered, by method and path. The last of some is answered again and again. */
  readonly answers: { [asked: string]: Answer[] };

  constructor(answers: { [asked: string]: Answer[] }) {
    this.answers = { 'GET /waiting': [[200, { waiting: [] }]], ...answers };
    this.#server = createServer(async (request, response) => {
      const path = (request.url ?? '').replace('/sandboxes/one', '');
      const method = request.method ?? '';
      const text = (await buffer(request)).toString();
      this.asked.push({ method, path, headers: request.headers, body: text ? JSON.parse(text) : undefined });
      const all = this.answers[`${method} ${path}`] ?? [];
      const answer = (all.length > 1 ? all.shift() : all[0]) ?? problem(404, 'not-found');
      if (typeof answer === 'function') return answer(response);
      const [status, body, type = 'application/json'] = answer;
      if (body === undefined) return response.writeHead(status).end();
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      return response.writeHead(status, { 'content-type': type }).end(isRaw ? body : JSON.stringify(body));
    });
  }

  async start(t: TestContext): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    t.after(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/sandboxes/one`;
  }

  cut(): void {
    this.#server.closeAllConnections();
  }

  /** What was asked for besides what opening asks for. */
  rest(): string[] {
    return this.asked.slice(1).map(({ method, path }) => `${method} ${path}`);
  }
}

const problem = (status: number, kind: string, more: object = {}): Answer => [
  status,
  { type: 'about:blank', title: '', status, kind, detail: 'it is wrong', hint: 'mend it', ...more },
  'application/problem+json',
];
const FORBIDDEN = problem(403, 'forbidden');
const done = (text: string): Answer => [200, { outcome: 'done', text, structured: { a: [1] }, truncated: false }];
const hang = (): void => undefined;
const cut = (response: ServerResponse): void => void response.socket?.destroy();

/** A sandbox with a person's token. */
async function open(
  t: TestContext,
  answers: { [asked: string]: Answer[] },
  options: ConnectOptions = {},
): Promise<{ fake: Fake; sandbox: Sandbox }> {
  const fake = new Fake(answers);
  const sandbox = await connectSandbox(await fake.start(t), 'hunter2', options);
  t.after(() => sandbox.close());
  return { fake, sandbox };
}

const USER = { as: 'user' } as const;
const read = (sandbox: Sandbox) => sandbox.call('read_file', { path: 'a.md' }, USER);

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

const PUSH = {
  target: 'github:ada/project',
  branch: 'main',
  summary: '',
  warnings: '',
  whole: '',
  review: {
    target: '',
    reference: '',
    old: null,
    new: '',
    base: null,
    new_branch: false,
    commits: [],
    supplied: 0,
    files: [],
    intermediate: [],
    flags: [],
  },
};
const shown = (digest: string | null, waits = false): Answer => [
  202,
  { outcome: 'pending', reason: '', hint: '', waits, push: { ...PUSH, digest }, inside: null },
];

test('a bundle leaves once a person has approved what is in it', async (t) => {
  const bundle: Answer = [200, new Uint8Array([1]), 'application/octet-stream'];
  const { fake, sandbox } = await open(t, { 'POST /bundle': [shown('d'), shown('d'), shown('e'), bundle] });
  assert.equal((await sandbox.exportBundle()).outcome, 'pending', 'nobody is there to ask');
  const digests: (string | undefined)[] = [];
  sandbox.onQuestion((question) => {
    digests.push(question.about === 'push' ? question.push.push?.digest : undefined);
    return { say: 'approve' };
  });
  const exported = await sandbox.exportBundle('main');
  assert.ok(exported.outcome === 'done');
  assert.deepEqual(digests, ['d', 'e'], 'it was another one, so it is asked about again');
  assert.deepEqual(
    fake.asked.slice(2).map(({ body }) => body),
    [{ branch: 'main' }, { branch: 'main', digest: 'd' }, { branch: 'main', digest: 'e' }],
  );
});

test('what is approved and yet not made comes back, and nobody is asked for ever', async (t) => {
  const { fake, sandbox } = await open(t, { 'POST /pushes': [shown('d')] }, { question: () => ({ say: 'approve' }) });
  assert.equal((await sandbox.push()).outcome, 'pending');
  assert.deepEqual(fake.rest(), ['POST /pushes', 'POST /pushes']);
});

test('a call of an agent is asked about with the token of a person, and made again once it was decided', async (t) => {
  const calls = { 'POST /tools/git_push': [shown(null, true), done('pushed')] };
  const one: Waiting = {
    id: 'w',
    tool: 'git_push',
    arguments: '{"only":true, "commitId":"HEAD"}',
    at: 1,
    inside: null,
  };
  const other = { ...one, id: 'v', arguments: '{"commitId":"HEAD"}' };
  const question = { reasons: [], offer: null, push: { ...PUSH, digest: 'd' }, patches: [], risks: [] };
  const fake = new Fake({
    ...calls,
    'GET /waiting': [FORBIDDEN, [200, { waiting: [] }], [200, { waiting: [other, one] }]],
    'GET /tools': [[200, { tools: [] }]],
    'GET /waiting/w': [[200, { id: 'w', about: 'push', push: question }]],
    'POST /waiting/w/decision': [problem(404, 'not-found')],
  });
  const asked: Question[] = [];
  const sandbox = await connectSandbox(await fake.start(t), 'agent', {
    person: 'reviewer',
    question: (question) => {
      asked.push(question);
      return { say: 'approve' };
    },
  });
  const reply = await sandbox.call('git_push', { commitId: 'HEAD', only: true });
  assert.equal(reply.outcome, 'done', 'somebody else was faster, and the agent learns of it');
  assert.deepEqual(
    asked.map(({ id }) => id),
    ['w'],
  );
  const tokens = fake.asked.map(({ method, path, headers }) => `${headers.authorization?.slice(7)} ${method} ${path}`);
  assert.deepEqual(tokens, [
    'agent GET /waiting',
    'agent GET /tools',
    'reviewer GET /waiting',
    'agent POST /tools/git_push',
    'reviewer GET /waiting',
    'reviewer GET /waiting/w',
    'reviewer POST /waiting/w/decision',
    'agent POST /tools/git_push',
  ]);
  assert.deepEqual(fake.asked.at(-2)?.body, { say: 'approve', digest: 'd' });
});

test('a call that is called off while a person is asked goes on waiting', async (t) => {
  const off = new AbortController();
  const { fake, sandbox } = await open(
    t,
    { 'POST /pushes': [shown('d')] },
    {
      question: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ say: 'approve' }));
          setTimeout(() => off.abort(), 20);
        }),
    },
  );
  await assert.rejects(sandbox.push({ signal: off.signal, timeoutMs: 10_000 }), { kind: 'interrupted' });
  assert.deepEqual(fake.rest(), ['POST /pushes'], 'what is said then is no answer');
});

test('what waits is told as it changes, over connections that end', async (t) => {
  const item = (id: string): Waiting => ({ id, tool: 'git_push', arguments: '{}', at: 1, inside: null });
  const tell = (response: ServerResponse, ...ids: string[]): void =>
    void response.write(`event: waiting\ndata: ${JSON.stringify({ waiting: ids.map(item) })}\n\n`);
  const stream =
    (work: (response: ServerResponse) => void) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      work(response);
    };
  const fake = new Fake({
    'GET /events': [
      stream((response) => {
        response.write(': hello\n\n');
        tell(response);
        tell(response, 'a');
        response.write('event: other\ndata: {}\n\n');
        setTimeout(() => response.end(), 20);
      }),
      problem(503, 'busy'),
      stream((response) => {
        // It is as it was told last.
        tell(response, 'a');
        response.write('event: waiting\ndata: {"waiting": 1}\n\n');
        response.write('event: waiting\ndata: {\n\n');
      }),
      // This one says nothing at all.
      stream(hang),
      stream((response) => tell(response, 'a', 'b')),
    ],
  });
  const server = new Connection(await fake.start(t), 'hunter2', fetch);
  const listening = new Listening(server, { soonMs: 5, lateMs: 20, silenceMs: 100 });
  const told: string[] = [];
  const all = new Promise<void>((resolve) => {
    listening.on('waiting', (waiting) => {
      told.push(waiting.map(({ id }) => id).join(' '));
      if (told.length === 2) resolve();
    });
  });
  await all;
  assert.deepEqual(told, ['a', 'a b']);
  assert.equal(fake.asked.length, 5);
  listening.close();
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(fake.asked.length, 5, 'nobody listens any more');
});

test('a server that tells nothing is not asked again, and nobody is asked unless somebody listens', async (t) => {
  for (const answer of [
    FORBIDDEN,
    problem(401, 'unauthorized'),
    problem(404, 'not-found'),
    [200, '<p>', 'text/html'] as Answer,
  ]) {
    const fake = new Fake({ 'GET /events': [answer] });
    const server = new Connection(await fake.start(t), 'hunter2', fetch);
    const listening = new Listening(server, { soonMs: 1, lateMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(fake.asked.length, 0);
    const remove = listening.on('waiting', () => assert.fail('it was told'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    assert.equal(fake.asked.length, 1);
    remove();
    listening.close();
  }
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
