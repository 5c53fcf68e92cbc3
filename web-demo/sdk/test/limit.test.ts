import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Limit } from '../src/client/limit.js';
import { calledOff } from '../src/error.js';

const never = (): Promise<never> => new Promise(() => undefined);

test('what a person or a server takes does not count', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limit = new Limit({ timeoutMs: 100 });
  let isOff = false;
  void limit.hold(never(), () => (isOff = true));
  limit.state('away');
  t.mock.timers.tick(1000);
  assert.equal(isOff, false);
  limit.state('running');
  t.mock.timers.tick(100);
  assert.equal(isOff, true);
});

test('a call that is too late says so, and what it knows of its end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let off: (() => void) | undefined;
  const reply = new Promise<never>((_, reject) => (off = () => reject(calledOff())));
  const held = new Limit({ timeoutMs: 100 }).hold(reply, () => off?.());
  t.mock.timers.tick(100);
  await assert.rejects(held, { kind: 'timeout', message: /longer than 100 ms: .*nothing has changed/ });
});

test('a call that is done is no less done for being late', async () => {
  const limit = new Limit({ timeoutMs: 100, signal: new AbortController().signal });
  assert.equal(await limit.hold(Promise.resolve('done'), () => assert.fail('it was called off')), 'done');
});

test('a call of which the signal has fired before is not made', () => {
  assert.throws(() => new Limit({ signal: AbortSignal.abort() }), { kind: 'interrupted' });
});
