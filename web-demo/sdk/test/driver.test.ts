// A sandbox that a call keeps locked between its turns, as a push does while it is on its way.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Given, Need } from '../src/protocol.js';
import type { Context } from '../src/rpc.js';
import { Clock } from '../src/worker/clock.js';
import { Driver, always } from '../src/worker/driver.js';
import type { ShimRun } from '../src/worker/shim.js';

class Push implements ShimRun {
  readonly kept = { isLocked: false, ready: () => Promise.resolve() };
  readonly done: string[] = [];
  readonly driver = new Driver();
  /** What the push asks for, and how to answer it. */
  readonly asked: Promise<{ need: Need; answer: (given: Given) => void }>;
  #ask: (asked: { need: Need; answer: (given: Given) => void }) => void = () => undefined;

  constructor() {
    this.asked = new Promise((resolve) => (this.#ask = resolve));
  }

  advance(): ReturnType<ShimRun['advance']> {
    if (!this.kept.isLocked) {
      this.kept.isLocked = true;
      this.done.push('locked');
      return { need: { tag: 'http', val: { forge: 'github', method: 'POST', path: '/x', moves: true } } };
    }
    this.kept.isLocked = false;
    this.done.push('unlocked');
    return { done: { tag: 'result', val: { text: '', structured: '{}', truncated: false } } };
  }

  give(): void {
    this.done.push('answered');
  }

  free(): void {
    this.kept.isLocked = false;
  }

  context(id: number, signal = new AbortController().signal): Context {
    const need = (need: Need) => new Promise<Given>((answer) => this.#ask({ need, answer }));
    return { id, signal, need };
  }

  get #driven() {
    const judge = (error: unknown) => ({ error, isLost: false });
    return { kept: this.kept, clock: new Clock(), after: () => undefined, judge };
  }

  push(): Promise<unknown> {
    return this.driver.drive(this.#driven, this.context(1), () => this, always({ say: 'later' }));
  }

  read(id: number, signal?: AbortSignal): Promise<unknown> {
    const work = (): void => {
      assert.ok(!this.kept.isLocked, 'nothing is read while the sandbox is locked');
      this.done.push(`read ${id}`);
    };
    return this.driver.turn(this.#driven, this.context(id, signal), work);
  }
}

const answer: Given = { tag: 'http', val: { tag: 'response', val: { status: 200, headers: {}, body: new Uint8Array() } } };

test('what is read while a push is on its way waits for its end', async () => {
  const one = new Push();
  const push = one.push();
  // Asked for before the sandbox is locked, but its turn comes after that.
  const early = one.read(2);
  const { answer: give } = await one.asked;
  const late = one.read(3);
  give(answer);
  await Promise.all([push, early, late]);
  assert.deepEqual(one.done.slice(0, 3), ['locked', 'answered', 'unlocked']);
  assert.deepEqual(one.done.slice(3).sort(), ['read 2', 'read 3']);
});

test('who calls off what waits for a push waits no longer, and the push goes on', async () => {
  const one = new Push();
  const push = one.push();
  const { answer: give } = await one.asked;
  const off = new AbortController();
  const waits = one.read(2, off.signal);
  off.abort();
  await assert.rejects(waits, { kind: 'interrupted' });
  give(answer);
  await push;
  assert.deepEqual(one.done, ['locked', 'answered', 'unlocked']);
});

test('a push that fails on its way lets the others go on', async () => {
  const one = new Push();
  one.give = () => {
    throw new Error('it fails');
  };
  const push = one.push();
  const { answer: give } = await one.asked;
  const waits = one.read(2);
  give(answer);
  await assert.rejects(push, /it fails/);
  await waits;
  assert.deepEqual(one.done, ['locked', 'read 2']);
});
