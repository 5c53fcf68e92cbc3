// A sandbox that comes from a git server, over HTTP, on each server of the interface.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { ADA, repository } from '../../sdk/test/git-backend.js';
import { words } from './api.js';
import { NATIVE, edge, native } from './bodies.js';

/** Nobody asks GitHub. */
const GITHUB = 'http://127.0.0.1:1';

for (const [name, started] of Object.entries({ edge, native })) {
  const skip = name === 'native' && NATIVE === undefined && 'cargo xtask test names the command';
  test(`${name}: a sandbox comes from a git server, and what is approved lands there`, { skip }, async (t) => {
    const there = await repository(t);
    const home = await mkdtemp(join(tmpdir(), 'gitgate-home-'));
    t.after(() => rm(home, { recursive: true, force: true }));
    await writeFile(join(home, '.netrc'), `machine 127.0.0.1 login ${ADA.username} password ${ADA.password}\n`);
    const { origin, host } = new URL(there.address);
    const signed = origin.replace(host, `${ADA.username}:${ADA.password}@${host}`);
    const body = await started(GITHUB, { HOME: home, GIT_CREDENTIALS: signed });
    t.after(() => body.stop());
    const { api } = body;
    const from = { git: there.address };
    const identity = 'Ada <ada@example.org>';
    const owner = await api.create({ name: 'far', from, identity, pushTo: 'main' });
    const agent = await api.token('far', owner, 'agent');
    const run = async (command: string) => (await api.call('far', agent, 'bash', { command })).body;
    assert.equal(words((await run('cat README.md'))['text']), '# Project\n');
    await run('echo more >> README.md; git commit -qam "Say more"; git push');
    const asked = await api.ask('POST', '/sandboxes/far/pushes', owner, {});
    const digest = words(asked.body['push']?.['digest']);
    const pushed = await api.ask('POST', '/sandboxes/far/pushes', owner, { digest });
    assert.equal(pushed.body['structured']?.['status'], 'success', pushed.text);
    assert.equal(await there.git('show', 'main:README.md'), '# Project\nmore\n');
    assert.equal((await there.git('log', '-1', '--format=%s %an')).trim(), 'Say more Ada');

    // An agent names no server that the sandbox was not given.
    const target = { type: 'git', repo: `${origin}/other.git` };
    const refused = await api.call('far', agent, 'git_branches', { target });
    assert.notEqual(refused.status, 200, refused.text);
    const two = { name: 'two', from: { ...from, github: 'ada/project' } };
    assert.equal((await api.ask('POST', '/sandboxes', api.operator, two)).status, 422);
  });
}
