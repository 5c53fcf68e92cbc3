// A GitHub that accepts requests and never answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { each } from './each.js';

each(
  (here) => {
    test('what GitHub leaves hanging ends with an error, and the sandbox goes on', async () => {
      const { api, owner, agent } = await here.scene('hanging');
      const before = await api.call('hanging', agent, 'git_status', {});
      here.hub.hangs = true;
      try {
        const pull = api.call('hanging', owner, 'git_pull', {});
        const status = api.call('hanging', agent, 'git_status', {});
        const made = api.ask('POST', '/sandboxes', api.operator, { name: 'new', from: { github: 'ada/project' } });
        await api.create({ name: 'other' });
        for (const refused of [await pull, await made]) {
          assert.deepEqual([refused.status, refused.body['kind']], [422, 'execution-failed'], refused.text);
          assert.equal(refused.body['detail'], 'GitHub does not answer: it took too long');
          assert.equal(refused.body['hint'], 'check the connection, then try again');
        }
        assert.equal((await status).text, before.text);
      } finally {
        here.hub.hangs = false;
      }
      assert.deepEqual((await api.ask('GET', '/sandboxes', api.operator)).body['sandboxes'], ['hanging', 'other']);
      assert.equal((await api.call('hanging', owner, 'git_pull', {})).status, 200);
      await api.create({ name: 'new', from: { github: 'ada/project' } });
    });
  },
  { GITHUB_TIMEOUT: '1' },
);
