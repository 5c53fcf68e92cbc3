import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Sandbox } from 'gitgate';

import { Share } from '../src/desk/rate.js';
import { Work } from '../src/desk/work.js';
import type { ToAgent } from '../src/common/agent.js';

test('a call that is called off while it is looked at what waits ends', { timeout: 5000 }, async () => {
  let give = (): void => undefined;
  let looked = (): void => undefined;
  const looking = new Promise<void>((resolve) => (looked = resolve));
  let listeners = 0;
  const args = { commitId: 'HEAD' };
  const sandbox = {
    call: async () => ({ outcome: 'pending', waits: true }),
    waiting: () => {
      looked();
      const found = [{ id: 'a', tool: 'git_push', arguments: JSON.stringify(args), at: 0, inside: null }];
      return new Promise((resolve) => (give = () => resolve(found)));
    },
    on: () => ((listeners += 1), () => void (listeners -= 1)),
  } as unknown as Sandbox;
  let heard: (message: ToAgent) => void = () => undefined;
  const answered = new Promise<ToAgent>((resolve) => (heard = resolve));
  const work = new Work(sandbox, new Share(() => 0), heard);
  work.hear({ type: 'call', id: 1, tool: 'git_push', args, wait: 'ask' });
  await looking;
  work.hear({ type: 'cancel', id: 1 });
  give();
  await new Promise(setImmediate);
  assert.equal(listeners, 0, 'it waits for a decision');
  const answer = await answered;
  assert.ok(answer.type === 'failed' && answer.error.kind === 'interrupted', JSON.stringify(answer));
});
