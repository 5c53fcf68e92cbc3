import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';

import { Keeper } from '../src/client/keeper.js';
import type { Keeping, WorkerLike } from '../src/client/keeper.js';
import type { Asking } from '../src/client/line.js';
import type { Call, Event, Given, Modules, Need, Opening, ToClient, ToServer } from '../src/protocol.js';
import type { Reply, Sent } from '../src/reply.js';
import { serve } from '../src/rpc.js';
import type { Context, Handlers, Perform, State } from '../src/rpc.js';
import { only, pair } from './pair.js';
import { Browser } from './tabs.js';
import type { Tab } from './tabs.js';

const nothing: Perform = () => Promise.reject(new Error('nothing was expected to be needed'));
const question: Need = { tag: 'question', val: { about: 'push', id: null, push: { reasons: [], offer: null, push: null, patches: null, risks: null } } };
const http = (moves: boolean): Need => ({
  tag: 'http',
  val: { forge: 'github', method: 'PATCH', path: '/x', moves },
});
const never = (): Promise<never> => new Promise(() => undefined);
const done = (text: string): Sent<Reply> => ({ outcome: 'done', text, structured: 'null', truncated: false });

/** A Worker in this thread. Once terminated, it sends nothing more. */
class FakeWorker implements WorkerLike {
  readonly openings: Opening[] = [];
  readonly #line = pair<ToServer, ToClient>();
  readonly #tab: Tab;
  #errors: (event: ErrorEvent) => void = () => undefined;
  isEnded = false;
  readonly tell: (event: Event) => void;

  constructor(tab: Tab, handlers: Partial<Handlers>) {
    this.#tab = tab;
    const server = this.#line[1];
    const open = async (opening: Opening) => {
      this.openings.push(opening);
      void tab.locks.request(opening.life, {}, never);
      this.tell({ tag: 'alive', val: null });
      return { isNew: false };
    };
    const post = (message: ToClient): void => (this.isEnded ? undefined : server.post(message));
    const serving = serve({ post, listen: server.listen }, only<Handlers>({ open, ...handlers }));
    this.tell = serving.event;
  }

  postMessage(message: ToServer): void {
    this.#line[0].post(message);
  }

  addEventListener(type: 'message' | 'error', listener: (event: never) => void): void {
    const hear = listener as (event: unknown) => void;
    if (type === 'error') this.#errors = hear;
    else this.#line[0].listen((data) => (this.isEnded ? undefined : hear({ data })));
  }

  fail(message: string): void {
    this.#errors({ message, preventDefault: () => undefined } as ErrorEvent);
  }

  terminate(): void {
    this.isEnded = true;
    this.#tab.kill();
  }
}

interface Kept {
  keeper: Keeper;
  workers: FakeWorker[];
  events: Event[];
}

/**
 * A keeper whose Workers use these handlers in turn, and the last one from then on.
 */
function keep(all: Partial<Handlers>[], more: Partial<Keeping> & { storage?: 'memory' } = {}): Kept {
  const browser = new Browser();
  const workers: FakeWorker[] = [];
  const events: Event[] = [];
  const assets = { shim: '', shimWasm: '', component: '', componentWasm: {} };
  const keeper = new Keeper({
    opening: { name: 'one', storage: more.storage ?? 'opfs', who: 'ada', settings: {}, assets },
    worker: () => {
      const worker = new FakeWorker(browser.tab(), all[Math.min(workers.length, all.length - 1)] ?? {});
      workers.push(worker);
      return worker;
    },
    locks: browser.tab().locks,
    onEvent: (event) => events.push(event),
    isIsolated: false,
    perform: nothing,
    graceMs: 1,
    ...more,
  });
  return { keeper, workers, events };
}

const wanted = (tool: string): Call => ({ tool, arguments: '{}', caller: 'agent', ask: true });

/** Reports the names of tools that start in a Worker. */
const begun = new EventEmitter();

interface Called extends Asking<'call'> {
  begins: Promise<unknown>;
  /** It has a need. */
  isAway: Promise<void>;
}

function call({ keeper }: Kept, tool: string, perform = nothing): Called {
  let away: () => void = () => undefined;
  const isAway = new Promise<void>((resolve) => (away = resolve));
  const begins = once(begun, tool);
  const state = (state: State): void => (state === 'away' ? away() : undefined);
  return { ...keeper.request('call', wanted(tool), { perform, state }), begins, isAway };
}

const trap: Event = { tag: 'lost', val: { request: 0, error: { kind: 'lost', message: 'a trap', hint: '' } } };

type Does = (context: Context) => Promise<Sent<Reply>>;
const tools = (all: { [tool: string]: Does }): Partial<Handlers> => ({
  call: ({ tool }, context) => (begun.emit(tool), all[tool] ?? (() => Promise.reject(new Error(tool))))(context),
});
const runs: Does = never;
const asks: Does = async (context) => {
  const given = await context.need(question);
  return done(given.tag === 'question' && given.val.say === 'reject' ? given.val.reason : '');
};
const reject = (reason: string): Promise<Given> => Promise.resolve({ tag: 'question', val: { say: 'reject', reason } });

test('a Worker is lost: what ran is of unknown end, what waited is made again', async () => {
  const queued: Does = () => Promise.reject(new Error('it is sent while something runs'));
  const quick: Does = () => Promise.resolve(done('again'));
  const kept = keep([tools({ runs, queued, asks }), tools({ queued: quick, asks })]);
  let asked = 0;
  const person: Perform = () => ((asked += 1), asked === 1 ? never() : reject('no'));
  const asking = call(kept, 'asks', person);
  await asking.isAway;
  const running = call(kept, 'runs');
  const waits = call(kept, 'queued');
  await running.begins;
  kept.workers[0]?.tell(trap);
  await assert.rejects(running.reply, { kind: 'interrupted', message: /a trap; what was asked for may have happened/ });
  assert.deepEqual(await waits.reply, done('again'));
  assert.deepEqual(await asking.reply, done('no'));
  assert.ok(kept.workers[0]?.isEnded);
  assert.deepEqual(kept.events, [{ tag: 'replaced', val: 'a trap' }]);
});

test('what may have moved a branch is never made again', async () => {
  const pushes =
    (moves: boolean): Does =>
    async (context) => {
      await context.need(http(moves));
      return done('');
    };
  const again = tools({ moves: () => Promise.resolve(done('twice')), reads: () => Promise.resolve(done('again')) });
  const kept = keep([tools({ moves: pushes(true), reads: pushes(false) }), again]);
  const moves = call(kept, 'moves', never);
  const reads = call(kept, 'reads', never);
  await Promise.all([moves.isAway, reads.isAway]);
  kept.workers[0]?.tell(trap);
  await assert.rejects(moves.reply, { kind: 'interrupted' });
  assert.deepEqual(await reads.reply, done('again'));
});

test('that a Worker has ended is noticed, however it ended', async () => {
  const kept = keep([tools({ runs }), tools({ runs: () => Promise.resolve(done('again')) })]);
  const running = call(kept, 'runs');
  await running.begins;
  kept.workers[0]?.terminate();
  await assert.rejects(running.reply, { kind: 'interrupted', message: /the Worker has ended/ });
  assert.deepEqual(await call(kept, 'runs').reply, done('again'));
});

test('what was in memory only is gone with its Worker, and every later call says so', async () => {
  const kept = keep([tools({ runs, asks })], { storage: 'memory' });
  const asking = call(kept, 'asks', never);
  await asking.isAway;
  const running = call(kept, 'runs');
  await running.begins;
  kept.workers[0]?.terminate();
  for (const { reply } of [running, asking, call(kept, 'runs')]) {
    await assert.rejects(reply, { kind: 'lost', message: /in memory only/, hint: /opfs/ });
  }
  assert.equal(kept.workers.length, 1);
});

test('a call that is called off and does not end takes its Worker with it', async () => {
  const kept = keep([tools({ runs, asks }), tools({ asks })]);
  let asked = 0;
  const asking = call(kept, 'asks', () => ((asked += 1), asked === 1 ? never() : reject('no')));
  await asking.isAway;
  const running = call(kept, 'runs');
  await running.begins;
  running.cancel();
  await assert.rejects(running.reply, { kind: 'interrupted' });
  assert.deepEqual(await asking.reply, done('no'));
  assert.equal(kept.workers.length, 2);
});

test('a call that ends when it is called off leaves its Worker alone', async () => {
  const ends: Does = (context) => {
    return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve(done('in time'))));
  };
  const kept = keep([tools({ ends })], { graceMs: 10_000 });
  const ending = call(kept, 'ends');
  await ending.begins;
  ending.cancel();
  assert.deepEqual(await ending.reply, done('in time'));
  assert.equal(kept.workers.length, 1);
});

test('the clock of a call that runs is told, where memory is shared', async () => {
  const kept = keep([tools({ runs })], { isIsolated: true, graceMs: 10_000 });
  const running = call(kept, 'runs');
  await running.begins;
  running.cancel();
  const flag = kept.workers[0]?.openings[0]?.flag ?? assert.fail('no flag');
  // The first request is the opening.
  assert.equal(new Int32Array(flag)[1], 2);
  running.reply.catch(() => undefined);
  await kept.keeper.close();
});

test('the next Worker gets the compiled modules', async () => {
  const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const modules: Modules = { shim: empty, component: new Map([['a', empty]]) };
  const kept = keep([tools({ quick: () => Promise.resolve(done('')) })]);
  await kept.keeper.open();
  kept.workers[0]?.tell({ tag: 'compiled', val: modules });
  await call(kept, 'quick').reply;
  kept.workers[0]?.tell(trap);
  await call(kept, 'quick').reply;
  assert.deepEqual(
    kept.workers.map(({ openings }) => openings[0]?.modules),
    [undefined, modules],
  );
});

test('another sandbox of the page gets them, too', async () => {
  const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const modules: Modules = { shim: empty, component: new Map() };
  const compiled: { modules?: Modules } = {};
  const first = keep([{}], { compiled });
  await first.keeper.open();
  first.workers[0]?.tell({ tag: 'compiled', val: modules });
  await first.keeper.close();
  const second = keep([{}], { compiled });
  await second.keeper.open();
  assert.deepEqual(second.workers[0]?.openings[0]?.modules, modules);
});

test('a Worker that cannot be loaded is an error, and the next call tries again', async () => {
  const kept = keep([{ open: never }, tools({ quick: () => Promise.resolve(done('')) })]);
  const first = call(kept, 'quick');
  kept.workers[0]?.fail('blocked by the policy');
  await assert.rejects(first.reply, {
    kind: 'lost',
    message: 'blocked by the policy',
    hint: /content security policy/,
  });
  assert.equal(kept.workers.length, 1);
  assert.deepEqual(await call(kept, 'quick').reply, done(''));
});

test('a sandbox that cannot be opened says why to whatever was asked', async () => {
  const busy = Object.assign(new Error('in use'), { kind: 'busy', hint: 'wait' });
  const kept = keep([{ open: () => Promise.reject(busy) }]);
  const [first, second] = [call(kept, 'a'), call(kept, 'b')];
  for (const { reply } of [first, second]) await assert.rejects(reply, { kind: 'busy', hint: 'wait' });
});

test('a sandbox that is closed ends its Worker and what was asked', async () => {
  let isClosed = false;
  const kept = keep([{ ...tools({ runs }), close: () => ((isClosed = true), Promise.resolve(null)) }]);
  const running = call(kept, 'runs');
  await running.begins;
  const failed = assert.rejects(running.reply, { kind: 'interrupted', message: 'the sandbox was closed' });
  await kept.keeper.close();
  await failed;
  assert.deepEqual([isClosed, kept.workers[0]?.isEnded], [true, true]);
  await assert.rejects(call(kept, 'runs').reply, { message: 'the sandbox was closed' });
});

test('a call that is given what it needed may run, and is not made again', async () => {
  const goesOn: Does = async (context) => {
    await context.need(question);
    begun.emit('on');
    return never();
  };
  const kept = keep([tools({ goesOn }), tools({ goesOn: () => Promise.resolve(done('twice')) })]);
  const on = once(begun, 'on');
  const going = call(kept, 'goesOn', () => reject('no'));
  await on;
  kept.workers[0]?.terminate();
  await assert.rejects(going.reply, { kind: 'interrupted' });
});

test('a call that is held is called off without a word to the Worker', async () => {
  const kept = keep([tools({ runs })]);
  const running = call(kept, 'runs');
  const held = call(kept, 'other');
  await running.begins;
  held.cancel();
  await assert.rejects(held.reply, { kind: 'interrupted', message: 'the call was called off; nothing has changed' });
  running.reply.catch(() => undefined);
  await kept.keeper.close();
});

test('the call that a Worker was lost by ends with its error, and the next is made in another', async () => {
  const fails: Does = ({ id }) => {
    const error = { kind: 'component', message: 'a trap', hint: 'ask for less' };
    kept.workers[0]?.tell({ tag: 'lost', val: { request: id, error } });
    return never();
  };
  const kept = keep([tools({ fails }), tools({ quick: () => Promise.resolve(done('again')) })]);
  const failing = call(kept, 'fails');
  const next = call(kept, 'quick');
  await assert.rejects(failing.reply, { kind: 'component', message: 'a trap', hint: 'ask for less' });
  assert.deepEqual(await next.reply, done('again'));
});

/** How a cancelled opening may end. If `isLeft`, the tab must remove the new sandbox. */
const openings: { name: string; isNew: boolean; ends: (off: AbortSignal) => Promise<{ isNew: boolean }>; isLeft: boolean }[] = [
  { name: 'ends in order', isNew: true, ends: (off) => aborted(off).then(() => Promise.reject(new Error('off'))), isLeft: false },
  { name: 'is stuck', isNew: true, ends: never, isLeft: true },
  { name: 'has just ended well', isNew: true, ends: (off) => aborted(off).then(() => ({ isNew: true })), isLeft: true },
  { name: 'is stuck in one that was there', isNew: false, ends: never, isLeft: false },
];
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

for (const { name, isNew, ends, isLeft } of openings) {
  test(`an opening that is called off ends its Worker, and nothing new is left: it ${name}`, async () => {
    let discarded = 0;
    const making: Event = { tag: 'making', val: null };
    const open: Handlers['open'] = (_, { signal }) => {
      if (isNew) kept.workers[0]?.tell(making);
      begun.emit('open');
      return ends(signal);
    };
    const discard = (): Promise<void> => {
      assert.ok(kept.workers[0]?.isEnded);
      discarded += 1;
      return Promise.resolve();
    };
    const kept = keep([{ open }], { discard, endMs: ends === never ? 1 : 10_000 });
    const opens = once(begun, 'open');
    const waits = assert.rejects(call(kept, 'a').reply, { kind: 'interrupted' });
    await opens;
    await kept.keeper.close();
    await waits;
    assert.deepEqual([discarded, kept.workers[0]?.isEnded, kept.workers.length], [isLeft ? 1 : 0, true, 1]);
  });
}
