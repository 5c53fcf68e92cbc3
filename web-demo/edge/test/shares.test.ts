// The limits of one token or one role, on each server.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import type { Api, Fields } from './api.js';
import { each } from './each.js';
import type { Scene } from './each.js';

const SLOW = 260;

/** A request whose body has this length, but never ends. Returns the refusal. */
function slow(api: Api, name: string, token: string, length: number, agent: Agent): [ClientRequest, Promise<Fields>] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': length };
  const asked = request(`${api.url}/sandboxes/${name}/tools/write_file`, { method: 'POST', headers, agent });
  const answered = new Promise<Fields>((resolve) => {
    // The held requests are aborted at the end.
    asked.on('error', () => undefined);
    asked.on('response', (response) => {
      json(response).then((body) => resolve(body as Fields), () => undefined);
    });
  });
  asked.write('{"path"');
  return [asked, answered];
}

/** Starts this many requests with these tokens in turn, and waits until one beyond the limit is refused. */
async function flood(
  t: TestContext,
  { api, name, tokens, length, many }: { api: Api; name: string; tokens: string[]; length: number; many: number },
): Promise<void> {
  const agent = new Agent({ maxSockets: Infinity });
  const all = Array.from({ length: many }, (_, at) => slow(api, name, tokens[at % tokens.length] ?? '', length, agent));
  t.after(() => {
    for (const [asked] of all) asked.destroy();
    agent.destroy();
  });
  const refused = await Promise.race(all.map(([, answered]) => answered));
  assert.deepEqual([refused['status'], refused['kind']], [429, 'busy'], JSON.stringify(refused));
}

async function peopleAreAnswered(name: string, { api, owner, reviewer }: Scene): Promise<void> {
  for (const token of [owner, reviewer]) {
    const waiting = await api.ask('GET', `/sandboxes/${name}/waiting`, token);
    assert.equal(waiting.status, 200, waiting.text);
    const status = await api.call(name, token, 'git_status', {});
    assert.equal(status.status, 200, status.text);
  }
  const made = await api.ask('POST', `/sandboxes/${name}/tokens`, api.operator, { role: 'agent' });
  assert.equal(made.status, 201, made.text);
}

each((here) => {
  test('attack_21_bodies_of_one_agent_that_never_come_lock_nobody_out', async (t) => {
    const scene = await here.scene('slow');
    const other = await scene.api.token('slow', scene.owner, 'agent');
    await flood(t, { api: scene.api, name: 'slow', tokens: [scene.agent], length: 100, many: SLOW });
    await peopleAreAnswered('slow', scene);
    const answer = await scene.api.call('slow', other, 'git_status', {});
    assert.equal(answer.status, 200, `another agent has its own share: ${answer.text}`);
  });

  test('attack_21_bodies_of_all_agents_that_never_come_lock_no_person_out', async (t) => {
    const scene = await here.scene('slow-all');
    const agents: string[] = [];
    for (let at = 0; at < 8; at += 1) agents.push(await scene.api.token('slow-all', scene.owner, 'agent'));
    await flood(t, { api: scene.api, name: 'slow-all', tokens: agents, length: 100, many: SLOW });
    await peopleAreAnswered('slow-all', scene);
  });

  test('attack_21_long_bodies_of_an_agent_are_few_at_a_time', async (t) => {
    const scene = await here.scene('long');
    await flood(t, { api: scene.api, name: 'long', tokens: [scene.agent], length: 16 << 20, many: 4 });
    await peopleAreAnswered('long', scene);
  });

  test('who listens with one token ends nobody else', async (t) => {
    const { api, owner, reviewer, agent } = await here.scene('listening');
    const off = new AbortController();
    t.after(() => off.abort());
    const listen = (token: string): Promise<Response> =>
      fetch(`${api.url}/sandboxes/listening/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: off.signal,
      });
    const parts = (await listen(owner)).body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    for (let at = 0; at < 100; at += 1) await listen(reviewer);
    await api.stage('listening', agent, 'a.md');
    await api.call('listening', agent, 'git_push', { commitId: 'HEAD' });
    for (let heard = ''; !heard.includes('git_push'); ) {
      const part = await parts?.next();
      if (!part || part.done) assert.fail(`it ended: ${heard}`);
      heard += part.value;
    }
  });
});
