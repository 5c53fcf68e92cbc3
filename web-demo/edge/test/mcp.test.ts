// The tools over the Model Context Protocol, the same on each server of the interface.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { words } from './api.js';
import type { Fields } from './api.js';
import { each } from './each.js';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Heard {
  status: number;
  text: string;
  result: Fields;
  error: Fields;
}

each((here) => {
  /** A client of a new sandbox, and a reviewer's token. */
  async function scene(sandbox: string) {
    const { api, owner, reviewer, agent } = await here.scene(sandbox);
    const say = async (message: object, headers: object = {}, token = agent): Promise<Heard> => {
      const response = await fetch(`${api.url}/sandboxes/${sandbox}/mcp`, {
        method: 'POST',
        headers: {
          'authorization': `Bearer ${token}`,
          'content-type': 'application/json',
          'accept': 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      });
      const text = await response.text();
      const parsed: Fields = text === '' ? {} : JSON.parse(text);
      return { status: response.status, text, result: parsed['result'] ?? {}, error: parsed['error'] ?? {} };
    };
    const call = (tool: string, args: object) =>
      say({ id: 1, method: 'tools/call', params: { name: tool, arguments: args } });
    return { api, owner, reviewer, agent, say, call };
  }

  test('an agent works by it, and what it proposes waits for a reviewer', async () => {
    const { api, reviewer, say, call } = await scene('agent');
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const begun = await say({ id: 0, method: 'initialize', params: client });
    assert.deepEqual([begun.status, begun.result['protocolVersion']], [200, '2025-06-18'], begun.text);
    assert.match(words(begun.result['instructions']), /nothing leaves it but commits that the user has approved/);
    const told = await say({ method: 'notifications/initialized' });
    assert.deepEqual([told.status, told.text], [202, '']);
    const { result } = await say({ id: 1, method: 'tools/list' });
    const tools: Fields[] = Array.isArray(result['tools']) ? result['tools'] : [];
    const listed = await api.ask('GET', '/sandboxes/agent/tools', reviewer);
    const all: Fields[] = Array.isArray(listed.body['tools']) ? listed.body['tools'] : [];
    const offered = all.filter((tool) => !tool['manual']).map((tool) => tool['name']);
    assert.deepEqual(
      tools.map((tool) => tool['name']),
      offered,
    );
    const written = await call('write_file', { path: 'mcp.md', content: 'one\n' });
    assert.equal(written.result['isError'], false, written.text);
    await call('git_stage', { files: ['mcp.md'], message: 'Write a file' });
    const pending = await call('git_push', { commitId: 'HEAD' });
    assert.equal(pending.result['isError'], true);
    const meta = pending.result['_meta']?.['gitgate/error'];
    assert.deepEqual([meta?.['kind'], meta?.['digest']], ['pending', undefined], pending.text);
    const waiting = await api.ask('GET', '/sandboxes/agent/waiting', reviewer);
    const place = `/sandboxes/agent/waiting/${words(waiting.body['waiting']?.['0']?.['id'])}`;
    const question = await api.ask('GET', place, reviewer);
    const digest = words(question.body['push']?.['push']?.['digest']);
    assert.equal((await api.ask('POST', `${place}/decision`, reviewer, { say: 'approve', digest })).status, 200);
    const again = await call('git_push', { commitId: 'HEAD' });
    assert.deepEqual([again.result['isError'], here.hub.files()['mcp.md']], [false, 'one\n'], again.text);
  });

  test("a client's own names are understood, and shown to a client of that name", async () => {
    const { api, agent, say, call } = await scene('dialect');
    const written = await call('Write', { file_path: 'a.md', content: 'one\n' });
    assert.equal(written.result['isError'], false, written.text);
    const read = await api.call('dialect', agent, 'read', { filePath: 'a.md' });
    assert.deepEqual([read.status, read.body['text']], [200, '     1\tone\n'], read.text);
    const listed = await say({ id: 2, method: 'tools/list' }, { 'gitgate-dialect': 'claude-code' });
    assert.match(listed.text, /"old_string"/);
    assert.ok(listed.text.length < 24 << 10, `${listed.text.length}`);
  });

  test('a call that fails is a result that says why, and what is no call is an error', async () => {
    const { say, call } = await scene('wrong');
    const missing = await call('read_file', { path: 'none.md' });
    const told = missing.result['_meta']?.['gitgate/error'];
    assert.deepEqual([missing.status, missing.result['isError'], told?.['kind']], [200, true, 'not-found']);
    const unknown = await call('make_coffee', {});
    assert.equal(unknown.result['isError'], true, unknown.text);
    const method = await say({ id: 2, method: 'resources/list' });
    assert.deepEqual([method.status, method.error['code']], [200, -32601], method.text);
    const none = await say({ id: 3 });
    assert.deepEqual([none.status, none.error['code']], [400, -32600], none.text);
  });

  test('each message of the newest revision stands for itself, and its headers say what it says', async () => {
    const { say } = await scene('newest');
    const version = { 'mcp-protocol-version': NEWEST };
    const params = { _meta: META };
    const found = await say({ id: 1, method: 'server/discover', params }, { ...version, 'mcp-method': 'server/discover' });
    assert.ok(JSON.stringify(found.result['supportedVersions']).includes(NEWEST), found.text);
    const list = { id: 2, method: 'tools/list', params };
    const listed = await say(list, { ...version, 'mcp-method': 'tools/list' });
    assert.deepEqual([listed.status, listed.result['ttlMs']], [200, 0], listed.text.slice(0, 200));
    const status = { id: 3, method: 'tools/call', params: { name: 'git_status', _meta: META } };
    const called = await say(status, { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'git_status' });
    assert.match(called.text, /"## main/);
    assert.equal(called.result['structuredContent'], undefined, 'some clients show a model only that');
    const structured = { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'git_status', 'gitgate-structured': 'true' };
    const whole = await say(status, structured);
    assert.equal(whole.result['structuredContent']?.['branch'], 'main', whole.text);
    const other = await say(status, { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'read_file' });
    assert.deepEqual([other.status, other.error['code']], [400, -32020], other.text);
  });

  test('it is for agents, whoever runs them', async () => {
    const { api, owner, reviewer, agent, say } = await scene('roles');
    for (const token of [owner, reviewer, api.operator]) {
      assert.equal((await say({ id: 1, method: 'ping' }, {}, token)).status, 403);
    }
    assert.equal((await say({ id: 1, method: 'ping' }, {}, 'gitgate_x')).status, 401);
    const stream = await api.ask('GET', '/sandboxes/roles/mcp', agent);
    assert.deepEqual([stream.status, stream.headers.get('allow')], [405, 'POST']);
  });
});
