import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Question, Sandbox, Waiting } from 'gitgate';

import { inPanel } from '../src/desk/in-panel.js';
import { Share } from '../src/desk/rate.js';
import { Work } from '../src/desk/work.js';
import type { ToAgent } from '../src/common/agent.js';

/** A sandbox that only reports its waiting calls. */
function telling() {
  const listeners = new Set<(waiting: Pick<Waiting, 'id'>[]) => void>();
  const on = (_: string, listener: (waiting: Pick<Waiting, 'id'>[]) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { listeners, sandbox: { on } as unknown as Sandbox };
}

const about = (id: string | null): Question => ({ about: 'push', id, push: {} }) as Question;

test('a question is held until its call waits no longer, or nobody waits for the answer', async () => {
  const { listeners, sandbox } = telling();
  const ask = inPanel(sandbox);
  const off = new AbortController();
  let isHeld = true;
  const dropped = ask(about('a'), off.signal).finally(() => (isHeld = false));
  for (const listener of listeners) listener([{ id: 'a' }, { id: 'b' }]);
  await new Promise(setImmediate);
  assert.equal(isHeld, true);
  for (const listener of listeners) listener([{ id: 'b' }]);
  assert.deepEqual(await dropped, { say: 'later' });
  const calledOff = ask(about('b'), off.signal);
  off.abort();
  assert.deepEqual(await calledOff, { say: 'later' });
  assert.deepEqual(await ask(about(null), new AbortController().signal), { say: 'later' }, 'it waits nowhere');
  assert.equal(listeners.size, 0);
});

test('a call that is called off while a person is asked ends', { timeout: 5000 }, async () => {
  const sandbox = {
    call: (_: string, __: object, { wait, signal }: { wait: string; signal: AbortSignal }) =>
      new Promise((_, reject) => {
        assert.equal(wait, 'ask');
        signal.addEventListener('abort', () => reject(Object.assign(new Error('off'), { kind: 'interrupted' })));
      }),
  } as unknown as Sandbox;
  let heard: (message: ToAgent) => void = () => undefined;
  const answered = new Promise<ToAgent>((resolve) => (heard = resolve));
  const work = new Work(sandbox, new Share(() => 0), heard);
  work.hear({ type: 'call', id: 1, tool: 'git_push', args: { commitId: 'HEAD' }, wait: 'ask' });
  work.hear({ type: 'cancel', id: 1 });
  assert.equal((await answered).type, 'failed');
});
