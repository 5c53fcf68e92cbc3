// Questions about a sandbox over HTTP, and the requests for their answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connectSandbox } from '../src/client/connect.js';
import type { Answer as Said, Question, Waiting } from '../src/question.js';
import { FORBIDDEN, Fake, done, open, problem } from './fake-server.js';
import type { Answer } from './fake-server.js';

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

test('an export is edited as a push is: the edit is sent once, and what comes of it is asked about', async (t) => {
  const bundle: Answer = [200, new Uint8Array([1]), 'application/octet-stream'];
  const { fake, sandbox } = await open(t, { 'POST /bundle': [shown('d'), shown('e'), bundle, shown('f'), bundle] });
  const edit = { leaveOut: [{ path: 'a.md', hunks: [2] }], message: 'Say less' };
  const answers: Said[] = [{ say: 'revise', revision: edit }, { say: 'approve' }, { say: 'approve' }];
  sandbox.onQuestion(() => answers.shift());
  assert.equal((await sandbox.exportBundle('main')).outcome, 'done');
  assert.equal((await sandbox.exportBundle(undefined, { digest: 'd', revision: edit })).outcome, 'done');
  assert.deepEqual(
    fake.asked.slice(1).map(({ body }) => body),
    [
      { branch: 'main' },
      { branch: 'main', revision: edit },
      { branch: 'main', digest: 'e' },
      { digest: 'd', revision: edit },
      { digest: 'f' },
    ],
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
  const noted = { who: 'ada', listed: [], gone: [], steps: [], comments: [] };
  const question = { reasons: [], offer: null, push: { ...PUSH, digest: 'd' }, patches: [], risks: [], ...noted };
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
