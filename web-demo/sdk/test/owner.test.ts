import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Line } from '../src/client/line.js';
import { Owner } from '../src/client/owner.js';
import type { Event, Given, Method, Need } from '../src/protocol.js';
import { Caller, serve } from '../src/rpc.js';
import type { Handlers, Perform } from '../src/rpc.js';
import { only, pair } from './pair.js';
import { Browser } from './tabs.js';
import type { Tab } from './tabs.js';
import type { ToClient, ToServer } from '../src/protocol.js';

const nothing: Perform = () => Promise.reject(new Error('nothing was expected to be needed'));
const question: Need = { tag: 'question', val: { about: 'push', id: null, push: { reasons: [], offer: null, push: null, patches: null, risks: null } } };

/** A tab's Worker, with these handlers. */
class Worker implements Line {
  readonly isHere = true;
  readonly #caller: Caller;
  readonly tell: (event: Event) => void;
  isClosed = false;

  constructor(handlers: Partial<Handlers>, onEvent: (event: Event) => void) {
    const [client, server] = pair<ToServer, ToClient>();
    this.tell = serve(server, only<Handlers>(handlers)).event;
    this.#caller = new Caller(client, onEvent);
  }

  request: Line['request'] = (method, args, watch) => this.#caller.request(method, args, watch);

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

interface Opened {
  owner: Owner;
  events: Event[];
  workers: Worker[];
}

async function open(tab: Tab, handlers: Partial<Handlers> = {}): Promise<Opened> {
  const events: Event[] = [];
  const workers: Worker[] = [];
  const own = (onEvent: (event: Event) => void): Worker => {
    const worker = new Worker(handlers, onEvent);
    workers.push(worker);
    return worker;
  };
  const { locks } = tab;
  const owner = await Owner.open({ name: 'one', locks, channel: tab, own, onEvent: (event) => events.push(event) });
  return { owner, events, workers };
}

const ask = ({ owner }: Opened, method: Method & ('audit' | 'compact'), perform = nothing) =>
  owner.request(method, null, { perform });
const never = (): Promise<never> => new Promise(() => undefined);

test('one tab has the Worker, and the others reach it', async () => {
  const browser = new Browser();
  const a = await open(browser.tab(), { audit: () => Promise.resolve('from a') });
  const b = await open(browser.tab());
  assert.equal(await ask(b, 'audit').reply, 'from a');
  assert.equal(await ask(a, 'audit').reply, 'from a');
  assert.deepEqual([a.workers.length, b.workers.length], [1, 0]);
  assert.deepEqual([a.owner.isHere, b.owner.isHere], [true, false]);
  assert.deepEqual(b.events, [{ tag: 'owner', val: { isHere: false } }]);
});

test('what is asked before it is known who has the sandbox waits', async () => {
  const browser = new Browser();
  const mute = browser.tab();
  void mute.locks.request('gitgate:one', {}, never);
  const b = await open(browser.tab(), { audit: () => Promise.resolve('from b') });
  const [first, second] = [ask(b, 'audit'), ask(b, 'audit')];
  second.cancel();
  mute.kill();
  assert.equal(await first.reply, 'from b');
  await assert.rejects(second.reply, { kind: 'interrupted' });
});

test('what a call needs is asked of the tab that made it', async () => {
  const browser = new Browser();
  const given: Given[] = [];
  await open(browser.tab(), {
    audit: async (_, context) => {
      given.push(await context.need(question));
      return '';
    },
  });
  const b = await open(browser.tab());
  await ask(b, 'audit', () => Promise.resolve({ tag: 'question', val: { say: 'reject', reason: 'by b' } })).reply;
  assert.deepEqual(given, [{ tag: 'question', val: { say: 'reject', reason: 'by b' } }]);
});

test('all tabs hear what happens', async () => {
  const browser = new Browser();
  const a = await open(browser.tab(), { audit: () => Promise.resolve('') });
  const b = await open(browser.tab());
  a.workers[0]?.tell({ tag: 'note', val: 'look' });
  await ask(b, 'audit').reply;
  for (const { events } of [a, b]) assert.deepEqual(events.at(-1), { tag: 'note', val: 'look' });
});

test('when the owner is gone another takes over, and what it was asked is of unknown end', async () => {
  const browser = new Browser();
  const first = browser.tab();
  await open(first, { audit: () => Promise.resolve('from a'), compact: never });
  const b = await open(browser.tab(), { audit: () => Promise.resolve('from b') });
  const c = await open(browser.tab());
  const answered = ask(c, 'audit');
  assert.equal(await answered.reply, 'from a');
  const open1 = ask(b, 'compact');
  const open2 = ask(c, 'compact');
  first.kill();
  for (const { reply } of [open1, open2]) {
    await assert.rejects(reply, { kind: 'interrupted', hint: /look at the history/ });
  }
  assert.equal(await ask(c, 'audit').reply, 'from b');
  assert.equal(await answered.reply, 'from a');
  assert.deepEqual([b.workers.length, c.workers.length], [1, 0]);
  assert.deepEqual(b.events.at(-1), { tag: 'owner', val: { isHere: true } });
});

test('an owner that closes leaves the sandbox to another', async () => {
  const browser = new Browser();
  const a = await open(browser.tab(), { compact: never });
  const b = await open(browser.tab(), { audit: () => Promise.resolve('from b') });
  const asked = ask(b, 'compact');
  await a.owner.close();
  await assert.rejects(asked.reply, { kind: 'interrupted' });
  assert.equal(await ask(b, 'audit').reply, 'from b');
  assert.ok(a.workers[0]?.isClosed);
  await assert.rejects(ask(a, 'audit').reply, { kind: 'interrupted', message: 'the sandbox was closed' });
});

test('a tab that closes asks nothing more and leaves the owner alone', async () => {
  const browser = new Browser();
  const a = await open(browser.tab(), { audit: () => Promise.resolve('from a'), compact: never });
  const b = await open(browser.tab());
  const asked = ask(b, 'compact');
  await b.owner.close();
  await assert.rejects(asked.reply, { kind: 'interrupted' });
  assert.equal(await ask(a, 'audit').reply, 'from a');
  assert.equal(a.workers[0]?.isClosed, false);
});

test('what a tab has asked is called off when it is gone', async () => {
  const browser = new Browser();
  let called: (() => void) | undefined;
  const off = new Promise<void>((resolve) => (called = resolve));
  let begun: (() => void) | undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  await open(browser.tab(), {
    compact: (_, { signal }) => {
      signal.addEventListener('abort', () => called?.());
      begun?.();
      return never();
    },
  });
  const second = browser.tab();
  const b = await open(second);
  ask(b, 'compact');
  await isBegun;
  second.kill();
  await off;
});

test('an old tab that says it has the sandbox is not believed by the one that has it', async () => {
  const browser = new Browser();
  const a = await open(browser.tab(), { audit: () => Promise.resolve('from a') });
  browser.tab().postMessage({ say: 'here', owner: 'somebody' });
  assert.equal(await ask(a, 'audit').reply, 'from a');
});
