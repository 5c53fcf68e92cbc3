import assert from 'node:assert/strict';
import { test } from 'node:test';

import { connect } from '../src/page/agent.js';
import type { FromAgent } from '../src/common/agent.js';

test('who called it off before it began asks nobody', async () => {
  const said: (FromAgent | 'close')[] = [];
  const wire = {
    post: (message: FromAgent) => void said.push(message),
    listen: () => undefined,
    close: () => void said.push('close'),
  };
  await assert.rejects(connect(wire, { name: 'Robot', signal: AbortSignal.abort() }), { kind: 'interrupted' });
  assert.deepEqual(said, ['close']);
});
