import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GitgateError } from '../src/error.js';
import type { Event, Given, Need, ToClient, ToServer } from '../src/protocol.js';
import type { Question } from '../src/question.js';
import { Caller, serve } from '../src/rpc.js';
import type { Handlers, Perform } from '../src/rpc.js';
import { only, pair } from './pair.js';

const nothing: Perform = () => Promise.reject(new Error('nothing was expected to be needed'));
const later: Given = { tag: 'question', val: { say: 'later' } };
const asked: Question = { about: 'push', id: null, push: { reasons: ['why'], offer: null, push: null, patches: null, risks: null } };
const question: Need = { tag: 'question', val: asked };

function line(handlers: Partial<Handlers>) {
  const [client, server] = pair<ToServer, ToClient>();
  const events: Event[] = [];
  const serving = serve(server, only<Handlers>(handlers));
  return { caller: new Caller(client, (event) => events.push(event)), serving, events };
}

test('a request is answered, and another one meanwhile', async () => {
  let first: ((text: string) => void) | undefined;
  const { caller } = line({
    audit: () => new Promise((resolve) => (first = resolve)),
    settings: () => Promise.resolve({ policy: 'strict' }),
  });
  const slow = caller.request('audit', null, { perform: nothing });
  const quick = caller.request('settings', null, { perform: nothing });
  assert.deepEqual(await quick.reply, { policy: 'strict' });
  first?.('the log');
  assert.equal(await slow.reply, 'the log');
});

test('an error keeps its kind, its message and its hint', async () => {
  const { caller } = line({
    compact: () => Promise.reject(new GitgateError('busy', 'in use', 'wait')),
    audit: () => Promise.reject(Object.assign(new Error('full'), { kind: 'storage', hint: 'remove something' })),
    fork: () => Promise.reject(new TypeError('a mistake')),
  });
  const reject = { name: 'GitgateError' };
  await assert.rejects(caller.request('compact', null, { perform: nothing }).reply, {
    ...reject,
    kind: 'busy',
    message: 'in use',
    hint: 'wait',
  });
  await assert.rejects(caller.request('audit', null, { perform: nothing }).reply, {
    ...reject,
    kind: 'storage',
    message: 'full',
    hint: 'remove something',
  });
  await assert.rejects(caller.request('fork', 'x', { perform: nothing }).reply, {
    ...reject,
    kind: 'lost',
    message: 'TypeError: a mistake',
  });
});

test('what a request needs is asked of whoever made it', async () => {
  const seen: Need[] = [];
  const states: string[] = [];
  const { caller } = line({
    review: async (_, context) => {
      assert.deepEqual(await context.need(question), later);
      return asked;
    },
  });
  const perform: Perform = (need) => {
    seen.push(need);
    return Promise.resolve(later);
  };
  await caller.request('review', 'id', { perform, state: (state) => states.push(state) }).reply;
  assert.deepEqual(seen, [question]);
  assert.deepEqual(states, ['away', 'running']);
});

test('what is needed no more is withdrawn, and the request goes on', async () => {
  const states: string[] = [];
  const { caller } = line({
    review: async (_, context) => {
      const off = new AbortController();
      const answer = context.need(question, off.signal).catch((error: GitgateError) => error.kind);
      off.abort();
      assert.equal(await answer, 'interrupted');
      assert.deepEqual(await context.need(question), later);
      return asked;
    },
  });
  let count = 0;
  const perform: Perform = (_, signal) => {
    count += 1;
    if (count === 2) return Promise.resolve(later);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(later)));
  };
  await caller.request('review', 'id', { perform, state: (state) => states.push(state) }).reply;
  assert.equal(count, 2);
  assert.equal(states.at(-1), 'running');
});

test('a need that cannot be met is refused with the reason', async () => {
  const { caller } = line({
    audit: async (_, context) => {
      await context.need(question);
      return 'never';
    },
  });
  const token = () => Promise.reject(new GitgateError('usage', 'there is no token', 'give one'));
  await assert.rejects(caller.request('audit', null, { perform: token }).reply, {
    kind: 'usage',
    message: 'there is no token',
    hint: 'give one',
  });
});

test('an answer that cannot be sent is refused, and the request does not hang', async () => {
  const { caller } = line({
    audit: async (_, context) => {
      await context.need(question);
      return 'never';
    },
  });
  const odd = { tag: 'question', val: { say: 'later', more: () => undefined } } as const;
  await assert.rejects(caller.request('audit', null, { perform: () => Promise.resolve(odd) }).reply, { kind: 'lost' });
});

test('a request that is called off tells both ends', async () => {
  const { caller } = line({
    audit: async (_, context) => {
      await context.need(question);
      return 'never';
    },
  });
  const perform: Perform = (_, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new GitgateError('interrupted', 'called off')));
      queueMicrotask(() => requested.cancel());
    });
  const requested = caller.request('audit', null, { perform });
  await assert.rejects(requested.reply, { kind: 'interrupted', message: 'called off' });
});

test('who is gone is needed for nothing more', async () => {
  const failed = new Promise((resolve) => {
    const { caller, serving } = line({
      audit: async (_, context) => {
        await context.need(question).catch((error: unknown) => resolve([error, context.signal.aborted]));
        return '';
      },
    });
    const perform: Perform = () => {
      serving.gone();
      return new Promise(() => undefined);
    };
    caller.request('audit', null, { perform });
  });
  assert.deepEqual(await failed, [new GitgateError('lost', 'whoever asked is gone'), true]);
});

test('when the line is cut, what has no answer fails and what had one stays', async () => {
  const { caller } = line({ audit: () => Promise.resolve('log'), compact: () => new Promise(() => undefined) });
  const answered = caller.request('audit', null, { perform: nothing });
  assert.equal(await answered.reply, 'log');
  const open = caller.request('compact', null, { perform: nothing });
  caller.fail(new GitgateError('interrupted', 'the tab is gone', 'again'));
  await assert.rejects(open.reply, { kind: 'interrupted', hint: 'again' });
  assert.equal(await answered.reply, 'log');
});

test('events arrive in order', async () => {
  const { caller, serving, events } = line({ compact: () => Promise.resolve(null) });
  serving.event({ tag: 'note', val: 'one' });
  serving.event({ tag: 'note', val: 'two' });
  await caller.request('compact', null, { perform: nothing }).reply;
  assert.deepEqual(events, [
    { tag: 'note', val: 'one' },
    { tag: 'note', val: 'two' },
  ]);
});
