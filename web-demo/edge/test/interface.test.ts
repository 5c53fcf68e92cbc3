// The interface, the same on each server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { ROUNDS, told } from '../../sdk/test/rounds.js';
import { words } from './api.js';
import type { Answer, Fields } from './api.js';
import { ROOT } from './bodies.js';
import { each } from './each.js';

const FROM = { github: 'ada/project' };

interface Operation {
  operationId: string;
  security: { [scheme: string]: [] }[];
}
const DESCRIPTION: { paths: { [path: string]: { [method: string]: Operation } } } = JSON.parse(
  readFileSync(join(ROOT, '../../host-cli/api/openapi.json'), 'utf8'),
);

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : assert.fail('it is no list'));

each((here) => {
  test('what an agent proposes lands once a reviewer has approved it by its digest', async () => {
    const { api, owner, reviewer, agent } = await here.scene('main-job');
    const before = here.hub.head;
    await api.stage('main-job', agent, 'a.md');
    const push = () => api.call('main-job', agent, 'git_push', { commitId: 'HEAD' });
    const pending = await push();
    assert.equal(pending.status, 202, pending.text);
    assert.equal(pending.body['waits'], true);
    assert.equal(pending.body['push']?.['digest'], null, 'an agent sees no digest');
    const waiting = await api.ask('GET', '/sandboxes/main-job/waiting', reviewer);
    const place = `/sandboxes/main-job/waiting/${words(list(waiting.body['waiting'])[0]?.['id'])}`;
    const question = await api.ask('GET', place, reviewer);
    assert.equal(question.body['about'], 'push', question.text);
    const digest = words(question.body['push']?.['push']?.['digest']);
    const decide = (said: object) => api.ask('POST', `${place}/decision`, reviewer, said);
    const other = [...digest].toReversed().join('');
    assert.notEqual((await decide({ say: 'approve', digest: other })).status, 200);
    assert.equal((await decide({ say: 'approve' })).status, 422, 'an approval names what it approves');
    assert.equal(here.hub.head, before, 'nothing has left');
    const landed = await decide({ say: 'approve', digest });
    assert.deepEqual([landed.status, landed.body['structured']?.['status']], [200, 'success'], landed.text);
    assert.deepEqual(here.hub.files(), { 'README.md': '# Project\n', 'a.md': 'one\n' });
    assert.equal((await decide({ say: 'approve', digest })).status, 404, 'it waits no more');
    assert.deepEqual((await push()).body, landed.body, 'the agent reads what has landed');
    assert.equal((await push()).body['text'], 'Everything up-to-date\n');
    const audit = await api.ask('GET', '/sandboxes/main-job/audit', owner);
    assert.match(audit.text, /reviewer, reviewer token/);
    const journal = await api.ask('GET', '/sandboxes/main-job/journal', owner);
    assert.ok(journal.text.length > 100);
  });

  test('an agent reads why its push was rejected', async () => {
    const { api, reviewer, agent } = await here.scene('rejected');
    await api.stage('rejected', agent, 'b.md');
    await api.call('rejected', agent, 'git_push', { commitId: 'HEAD' });
    const waiting = await api.ask('GET', '/sandboxes/rejected/waiting', reviewer);
    const id = words(list(waiting.body['waiting'])[0]?.['id']);
    const said = { say: 'reject', reason: 'Say why' };
    await api.ask('POST', `/sandboxes/rejected/waiting/${id}/decision`, reviewer, said);
    const again = await api.call('rejected', agent, 'git_push', { commitId: 'HEAD' });
    assert.deepEqual([again.status, again.body['reason']], [422, 'Say why'], again.text);
  });

  test('three rounds of a review: comments reach the agent, what it mends is told as new, and a kill loses none', async () => {
    const { api, owner, reviewer, agent } = await here.scene('rounds');
    const at = '/sandboxes/rounds/waiting';
    const push = () => api.call('rounds', agent, 'git_push', { commitId: 'HEAD' });
    const asked = async (): Promise<{ place: string; about: Fields }> => {
      assert.equal((await push()).status, 202);
      const [waiting] = list((await api.ask('GET', at, reviewer)).body['waiting']);
      const place = `${at}/${words(waiting?.['id'])}`;
      return { place, about: (await api.ask('GET', place, reviewer)).body['push'] ?? assert.fail('it is no push') };
    };
    const states = (about: Fields): unknown =>
      list(about['listed']).map((file) => [file['path'], list(file['units']).map((unit) => [unit['state'], unit['since']])]);
    const look = async (place: string, about: Fields): Promise<void> => {
      const patches = list(about['patches']);
      const looks = list(about['listed']).map((file) => {
        const [unit] = list(file['units']);
        const patch = words(patches[Number(list(file['files'])[0])]?.['head']);
        return { path: file['path'], key: unit?.['key'], text: patch.slice(patch.indexOf('@@ ')), seen: true };
      });
      assert.equal((await api.ask('POST', `${place}/seen`, reviewer, { looks })).status, 204);
    };

    const { path, contents, comment, answer, reasons } = ROUNDS;
    const propose = async (round: 0 | 1 | 2): Promise<{ place: string; about: Fields }> => {
      await api.stage('rounds', agent, path, contents[round], ROUNDS.messages[round]);
      return asked();
    };
    const whole = (about: Fields): unknown => list(about['listed'])[0]?.['units'];

    const first = await propose(0);
    assert.deepEqual(states(first.about), [[path, [['new', null]]]]);
    const commit = first.about['push']?.['review']?.['new'];
    const lines = { on: 'lines', path, side: 'new', first: 2, last: 2, lines: ['two'], before: ['one'], after: [] };
    const draft = { commit, place: lines, text: comment.text };
    const said = await api.ask('POST', `${first.place}/comments`, reviewer, draft);
    assert.deepEqual([said.status, said.body['weight'], said.body['sent']], [201, 'must', false], said.text);
    await look(first.place, first.about);
    const changes = { say: 'askChanges', reason: reasons[0] };
    assert.equal((await api.ask('POST', `${first.place}/decision`, reviewer, changes)).status, 200);
    const reply = (await push()).body;
    assert.equal(told(words(reply['text'])), ROUNDS.told[0]);
    const [open] = list(reply['structured']?.['changes']?.['comments']);
    assert.deepEqual([open?.['path'], open?.['line'], open?.['lines']], [path, 2, ['two']]);

    await here.body.crash();
    const answers = [{ id: open?.['id'], text: answer }];
    assert.equal((await api.call('rounds', agent, 'git_review', { answers })).status, 200);
    const second = await propose(1);
    assert.deepEqual(states(second.about), [
      [path, [['changed', ROUNDS.since[0]]]],
      [path, [['same', null]]],
    ]);
    const [kept] = list(second.about['comments']);
    assert.equal(list(kept?.['replies'])[0]?.['text'], answer);
    const settled = await api.ask('POST', `${second.place}/comments/${words(kept?.['id'])}`, reviewer, { change: 'settle' });
    assert.equal(settled.status, 200, settled.text);
    await look(second.place, second.about);
    const again = { say: 'askChanges', reason: reasons[1] };
    assert.equal((await api.ask('POST', `${second.place}/decision`, owner, again)).status, 200);
    assert.equal(told(words((await push()).body['text'])), ROUNDS.told[1]);

    await here.body.crash();
    const third = await propose(2);
    assert.deepEqual(list(whole(third.about)).map((unit) => [unit['state'], unit['since']]), [['changed', ROUNDS.since[1]]]);
    const digest = words(third.about['push']?.['digest']);
    const landed = await api.ask('POST', `${third.place}/decision`, reviewer, { say: 'approve', digest });
    assert.deepEqual([landed.status, landed.body['structured']?.['status']], [200, 'success'], landed.text);
    assert.equal(here.hub.files()[path], contents[2]);
  });

  test('whoever listens hears what waits, as long as their token is worth something', async () => {
    const { api, owner, agent } = await here.scene('events');
    const made = await api.ask('POST', '/sandboxes/events/tokens', owner, { role: 'reviewer' });
    const token = words(made.body['token']);
    const at = `${api.url}/sandboxes/events/events`;
    const response = await fetch(at, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream']);
    const parts = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let heard = '';
    const hear = async (wanted: RegExp): Promise<void> => {
      while (!wanted.test(heard)) {
        const part = await parts?.next();
        if (!part || part.done) assert.fail(`it ended before ${wanted}: ${heard}`);
        heard += part.value;
      }
    };
    await hear(/^event: waiting\ndata: \{"waiting":\[\]\}\n\n/);
    await api.stage('events', agent, 'heard.md');
    await api.call('events', agent, 'git_push', { commitId: 'HEAD' });
    await hear(/data: .*"tool":"git_push".*\n\n$/);
    await api.ask('DELETE', `/sandboxes/events/tokens/${words(made.body['id'])}`, owner);
    // The next operation reports that it is over.
    await api.call('events', agent, 'git_status', {});
    assert.equal((await parts?.next())?.done, true);
    const refused = await api.ask('GET', '/sandboxes/events/events', agent);
    assert.equal(refused.status, 403);
  });

  test('of two reviewers who approve at once, one has the push land', async () => {
    const { api, owner, reviewer } = await here.scene('two');
    await api.stage('two', owner, 'two.md');
    const asked = await api.ask('POST', '/sandboxes/two/pushes', owner, {});
    const digest = words(asked.body['push']?.['digest']);
    const both = [owner, reviewer].map((token) => api.ask('POST', '/sandboxes/two/pushes', token, { digest }));
    const texts = (await Promise.all(both)).map(({ body }) => `${body['text']}`);
    assert.equal(texts.filter((text) => text === 'Everything up-to-date\n').length, 1, texts.join());
    assert.equal(here.hub.files()['two.md'], 'one\n');
  });

  test('each route is open to the roles that the description names, and to nobody else', async () => {
    const { api, owner, reviewer, agent } = await here.scene('roles');
    const other = await api.create({ name: 'other' });
    const tokens: { [role: string]: string | undefined } = {
      ...{ owner, reviewer, agent, other, operator: api.operator },
      nobody: undefined,
      forged: `${owner.slice(0, -1)}${owner.endsWith('0') ? '1' : '0'}`,
    };
    for (const [path, methods] of Object.entries(DESCRIPTION.paths)) {
      for (const [method, { operationId, security }] of Object.entries(methods)) {
        if (method === 'parameters') continue;
        const may = new Set(security.flatMap((scheme) => Object.keys(scheme)));
        const place = path.replace('{name}', 'roles').replace('{tool}', 'none').replace('{id}', 'none');
        for (const [role, token] of Object.entries(tokens)) {
          // A body that is not JSON: an authorized client hears so, and nothing happens.
          const sent = method === 'post' ? '{' : undefined;
          const { status } = await api.ask(method.toUpperCase(), place, token, sent);
          const isRefused = status === 401 || status === 403;
          assert.equal(!isRefused, may.size === 0 || may.has(role), `${operationId} as ${role}: ${status}`);
          const isKnown = ['owner', 'reviewer', 'agent', 'operator'].includes(role);
          if (isRefused) assert.equal(status, isKnown && !(place === '/sandboxes' && role !== 'operator') ? 403 : 401);
        }
      }
    }
  });

  test('a token is worth nothing once it is withdrawn or has expired', async () => {
    const { api, owner } = await here.scene('tokens');
    const listed = () => api.ask('GET', '/sandboxes/tokens/tokens', owner);
    const made = await api.ask('POST', '/sandboxes/tokens/tokens', owner, { role: 'agent' });
    const tools = (token: string) => api.ask('GET', '/sandboxes/tokens/tools', token);
    const token = words(made.body['token']);
    assert.equal((await tools(token)).status, 200);
    assert.ok(!(await listed()).text.includes(token.slice(-64)), 'the list has no secrets');
    const place = `/sandboxes/tokens/tokens/${words(made.body['id'])}`;
    assert.equal((await api.ask('DELETE', place, owner)).status, 204);
    assert.equal((await tools(token)).status, 401);
    assert.equal((await api.ask('DELETE', place, owner)).status, 404);
    const short = await api.token('tokens', owner, 'agent', { expiresIn: 1 });
    for (let status = 200; status === 200; status = (await tools(short)).status);
    assert.equal((await tools(short)).status, 401);
  });

  test('a token that is withdrawn while its request is on its way does nothing any more', async () => {
    const { api, owner } = await here.scene('late');
    const made = await api.ask('POST', '/sandboxes/late/tokens', owner, { role: 'owner' });
    const text = JSON.stringify({ role: 'owner', note: 'stays' });
    const headers = {
      authorization: `Bearer ${words(made.body['token'])}`,
      'content-type': 'application/json',
      'content-length': text.length,
    };
    const asked = request(`${api.url}/sandboxes/late/tokens`, { method: 'POST', headers });
    const answered = new Promise<number>((resolve, reject) => {
      asked.on('response', ({ statusCode }) => resolve(statusCode ?? 0));
      asked.on('error', reject);
    });
    asked.write(text.slice(0, 5));
    await api.call('late', owner, 'git_status', {});
    await api.ask('DELETE', `/sandboxes/late/tokens/${words(made.body['id'])}`, owner);
    asked.end(text.slice(5));
    assert.equal(await answered, 401);
    assert.ok(!(await api.ask('GET', '/sandboxes/late/tokens', owner)).text.includes('stays'));
  });

  test('who listens and goes away makes room for others', async () => {
    const { api, owner } = await here.scene('leaving');
    const listen = async (): Promise<number> => {
      const off = new AbortController();
      const headers = { authorization: `Bearer ${owner}` };
      const { status } = await fetch(`${api.url}/sandboxes/leaving/events`, { headers, signal: off.signal });
      off.abort();
      return status;
    };
    for (let time = 0; time < 70; time += 1) {
      // The server notices a disconnect only after a while.
      let status = await listen();
      for (let tries = 0; status !== 200 && tries < 100; tries += 1) status = await listen();
      assert.equal(status, 200, `listener ${time}`);
    }
  });

  test('what cannot be is refused with kind and hint, and changes nothing', async () => {
    const { api, owner } = await here.scene('bad');
    const before = await api.call('bad', owner, 'git_status', {});
    const at = '/sandboxes/bad/tools/write_file';
    const packed = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const cases: [Promise<Answer>, number][] = [
      [api.ask('POST', at, owner, '{'), 400],
      [api.ask('POST', at, owner, '[]'), 400],
      [api.ask('POST', at, owner, '['.repeat(1_000_000)), 400],
      [api.ask('POST', at, owner, '{}', { 'content-type': 'text/plain' }), 415],
      [api.ask('POST', at, owner, '{}', packed), 415],
      [api.ask('POST', at, owner, { path: 'x', content: 'x'.repeat(17 << 20) }), 413],
      [api.ask('POST', at, owner, { path: '../../etc/passwd', content: 'x' }), 422],
      [api.ask('POST', at, owner, { path: 'x', content: 'x', more: 1 }), 422],
      [api.ask('POST', '/sandboxes/bad/tools/no_such_tool', owner, {}), 422],
      [api.ask('PUT', at, owner, {}), 405],
      [api.ask('GET', '/sandboxes/bad/none', owner), 404],
      [api.ask('GET', '/sandboxes/..%2Fbad/tools', owner), 400],
      [api.ask('GET', '/sandboxes/none/tools', owner), 401],
      [api.ask('POST', '/sandboxes', api.operator, { name: '../x' }), 400],
      [api.ask('POST', '/sandboxes', api.operator, { name: 'x', from: { github: 'x' } }), 400],
      [api.ask('POST', '/sandboxes', api.operator, { name: 'x', identity: 'nobody' }), 400],
      [api.ask('POST', '/sandboxes', api.operator, { name: 'bad' }), 409],
      [api.ask('POST', '/sandboxes/none/removal', api.operator, {}), 404],
      [api.ask('POST', '/sandboxes/bad/tokens', owner, { role: 'operator' }), 400],
    ];
    for (const [at, [answer, expected]] of cases.entries()) {
      const { status, text } = await answer;
      assert.equal(status, expected, `case ${at}: ${text}`);
    }
    assert.equal((await api.call('bad', owner, 'git_status', {})).text, before.text);
  });

  test('nothing is left of a sandbox that cannot be made, and of one that was removed', async () => {
    const { api } = here.body;
    const names = async () => list((await api.ask('GET', '/sandboxes', api.operator)).body['sandboxes']).map(String);
    const failed = { name: 'failed', from: { github: 'ada/none' } };
    const answer = await api.ask('POST', '/sandboxes', api.operator, failed);
    assert.ok(answer.status >= 400, answer.text);
    assert.ok(!(await names()).includes('failed'));
    const owner = await api.create({ name: 'failed' });
    assert.ok((await names()).includes('failed'));
    await api.call('failed', owner, 'write_file', { path: 'a', content: 'work' });
    const kept = await api.ask('POST', '/sandboxes/failed/removal', owner, {});
    assert.deepEqual([kept.status, kept.body['kind']], [409, 'unpushed'], kept.text);
    assert.equal((await api.ask('POST', '/sandboxes/failed/removal', owner, { force: true })).status, 204);
    assert.equal((await api.ask('GET', '/sandboxes/failed/tools', owner)).status, 401, 'its tokens went with it');
    assert.ok(!(await names()).includes('failed'));
  });

  test('a sandbox reaches no repository but its own', async () => {
    const { api, owner } = await here.scene('reach');
    const source = { type: 'github', repo: 'ada/other' };
    const before = here.hub.requests.length;
    const answer = await api.call('reach', owner, 'git_pull', { source });
    assert.ok(answer.status >= 400, answer.text);
    assert.match(answer.text, /nothing to do with that repository/);
    assert.deepEqual(here.hub.requests.slice(before), []);
  });

  test('who asks for what a busy server has is told to come back, and others are not held up', async () => {
    const { api, owner, agent } = await here.scene('busy');
    here.hub.busy = 600;
    try {
      const refused = await api.call('busy', owner, 'git_pull', {});
      assert.deepEqual([refused.status, refused.body['kind']], [503, 'busy'], refused.text);
      assert.match(refused.text, /busy for 6\d\d seconds/);
      assert.equal((await api.call('busy', agent, 'git_status', {})).status, 200);
    } finally {
      here.hub.busy = undefined;
    }
    assert.equal((await api.call('busy', owner, 'git_pull', {})).status, 200);
  });

  test('only the newest commit is brought in, unless more of the history is asked for', async () => {
    const { api } = here.body;
    const log = async (name: string, from: object) => {
      const owner = await api.create({ name, from: { ...FROM, ...from } });
      return (await api.call(name, owner, 'git_log', { max_count: 50 })).text;
    };
    // By now the repository has more than one commit.
    const [newest, all] = [await log('newest', {}), await log('all', { depth: 0 })];
    assert.ok(newest.length < all.length, `${newest} against ${all}`);
  });

  test('a sandbox whose maker names no branch pushes to one of its own', async () => {
    const { api } = here.body;
    const owner = await api.create({ name: 'first', from: FROM, identity: 'Ada <ada@example.org>' });
    await api.stage('first', owner, 'own.md');
    const shown = await api.ask('POST', '/sandboxes/first/pushes', owner, {});
    assert.match(shown.text, /agent\/first/);
    assert.doesNotMatch(shown.text, /protected-branch/);
    const wrong = await api.ask('POST', '/sandboxes', api.operator, { name: 'x', pushTo: 'main' });
    assert.deepEqual([wrong.status, wrong.body['kind']], [422, 'usage'], wrong.text);
  });

  test('what was answered is there after a crash, and tokens are', async () => {
    const { api, owner, agent } = await here.scene('crash');
    await api.stage('crash', agent, 'kept.md');
    await api.call('crash', agent, 'git_push', { commitId: 'HEAD' });
    const before = await api.call('crash', owner, 'git_log', {});
    const waiting = await api.ask('GET', '/sandboxes/crash/waiting', owner);
    await here.body.crash();
    assert.equal((await api.call('crash', owner, 'git_log', {})).text, before.text);
    assert.equal((await api.ask('GET', '/sandboxes/crash/waiting', owner)).text, waiting.text);
    assert.equal((await api.call('crash', agent, 'git_status', {})).status, 200);
  });
});
