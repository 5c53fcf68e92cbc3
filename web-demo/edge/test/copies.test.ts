// Copies of a sandbox and bundles of its branches, the same on each server of the interface.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { unlessCut, words } from './api.js';
import type { Answer } from './api.js';
import { each } from './each.js';

// A bundle has the whole history.
const WHOLE = { depth: 0 };
/** In several parts, as an object passes it on, whatever its storage. */
const LONG = Array.from({ length: 40_000 }, (_, line) => createHash('sha256').update(`${line}`).digest('hex')).join('\n');

/** Another digest than this one. */
const other = (digest: string): string => [...digest].toReversed().join('');

each((here) => {
  const fork = (sandbox: string, token: string | undefined, to: string) =>
    here.body.api.ask('POST', `/sandboxes/${sandbox}/forks`, token, { name: to });
  const get = (sandbox: string, token: string, what: string) =>
    here.body.api.ask('GET', `/sandboxes/${sandbox}/${what}`, token);
  const push = (sandbox: string, token: string, asked: object) =>
    here.body.api.ask('POST', `/sandboxes/${sandbox}/pushes`, token, asked);
  const digest = (answer: Answer): string => words(answer.body['push']?.['digest']);

  /** The tools' view of a sandbox. */
  async function seen(sandbox: string, token: string): Promise<string[]> {
    const said: string[] = [];
    for (const [tool, args] of [
      ['git_status', {}],
      ['git_log', {}],
      ['list_files', { recursive: true }],
      ['read_file', { path: 'long.txt' }],
      ['git_diff', { commitId: 'HEAD' }],
    ] as const) {
      const answer = await here.body.api.call(sandbox, token, tool, args);
      assert.equal(answer.status, 200, answer.text);
      said.push(answer.text);
    }
    return said;
  }

  test('a copy has what its original has, and nobody whom its original knows', async () => {
    const { api, owner, reviewer, agent } = await here.scene('original', WHOLE);
    await api.stage('original', agent, 'a.md');
    const landed = await push('original', owner, { digest: digest(await push('original', owner, {})) });
    assert.equal(landed.status, 200, landed.text);
    await api.stage('original', agent, 'long.txt', LONG);
    await api.call('original', agent, 'write_file', { path: 'b.md', content: 'not staged\n' });
    await api.call('original', agent, 'git_push', { commitId: 'HEAD' });
    const forked = await fork('original', owner, 'copy');
    assert.equal(forked.status, 201, forked.text);
    assert.deepEqual([forked.body['name'], forked.body['text']], ['copy', 'A copy of original\n']);
    const own = words(forked.body['owner']?.['token']);
    for (const what of ['journal', 'audit', 'decisions', 'waiting']) {
      assert.deepEqual((await get('copy', own, what)).bytes, (await get('original', owner, what)).bytes, what);
    }
    assert.match((await get('copy', own, 'audit')).text, /push/);
    assert.match((await get('copy', own, 'waiting')).text, /git_push/);
    const settings = [await get('copy', own, 'settings'), await get('original', owner, 'settings')];
    const [mine, theirs] = settings.map(({ body }) => ({ ...body, created: undefined }));
    assert.deepEqual(mine, theirs);
    assert.deepEqual(await seen('copy', own), await seen('original', owner));
    for (const token of [owner, reviewer, agent]) assert.equal((await get('copy', token, 'tools')).status, 401);
    assert.equal((await get('original', own, 'tools')).status, 401);
    const tokens = await get('copy', own, 'tokens');
    assert.equal(tokens.text.split('"id"').length - 1, 1, tokens.text);
    const names = await api.ask('GET', '/sandboxes', api.operator);
    assert.match(names.text, /"copy".*"original"/);
  });

  test('what was shown in the original is approved there and in no copy', async () => {
    const { api, owner, agent } = await here.scene('shown', WHOLE);
    await api.stage('shown', agent, 'shown.md');
    const before = here.hub.head;
    const shown = digest(await push('shown', owner, {}));
    const own = words((await fork('shown', api.operator, 'shown-too')).body['owner']?.['token']);
    const refused = await push('shown-too', own, { digest: shown });
    assert.equal(refused.status, 202, refused.text);
    assert.notEqual(digest(refused), shown);
    assert.equal((await push('shown', owner, { digest: digest(refused) })).status, 202);
    assert.equal(here.hub.head, before, 'nothing has left');
    assert.equal((await push('shown', owner, { digest: shown })).status, 200);
    assert.notEqual(here.hub.head, before);
  });

  test('a copy and its original change and go without each other', async () => {
    const { api, owner, agent } = await here.scene('first', WHOLE);
    const own = words((await fork('first', owner, 'second')).body['owner']?.['token']);
    await api.stage('second', own, 'second.md');
    await api.stage('first', agent, 'first.md');
    const files = async (sandbox: string, token: string) => (await api.call(sandbox, token, 'list_files', {})).text;
    assert.match(await files('first', owner), /first\.md/);
    assert.doesNotMatch(await files('first', owner), /second\.md/);
    assert.match(await files('second', own), /second\.md/);
    assert.doesNotMatch(await files('second', own), /first\.md/);
    const remove = (sandbox: string, token: string) =>
      api.ask('POST', `/sandboxes/${sandbox}/removal`, token, { force: true });
    assert.equal((await remove('second', own)).status, 204);
    assert.match(await files('first', owner), /first\.md/);
    assert.equal((await get('second', own, 'tools')).status, 401);
    const again = words((await fork('first', owner, 'second')).body['owner']?.['token']);
    assert.equal((await remove('first', owner)).status, 204);
    assert.match(await files('second', again), /first\.md/);
    await here.body.crash();
    assert.match(await files('second', again), /first\.md/);
  });

  test('a copy is refused to whoever may not have it, and where it cannot be', async () => {
    const { api, owner, reviewer, agent } = await here.scene('kept', WHOLE);
    const theirs = await api.create({ name: 'taken' });
    await api.call('taken', theirs, 'write_file', { path: 'theirs.md', content: 'theirs\n' });
    for (const [token, to, status, kind] of [
      [agent, 'new', 403, 'forbidden'],
      [reviewer, 'new', 403, 'forbidden'],
      [theirs, 'new', 401, 'unauthorized'],
      [undefined, 'new', 401, 'unauthorized'],
      [owner, 'taken', 409, 'sandbox-exists'],
      [owner, 'kept', 409, 'sandbox-exists'],
      [owner, '../new', 400, 'usage'],
      [owner, '', 400, 'usage'],
    ] as const) {
      const answer = await fork('kept', token, to);
      assert.deepEqual([answer.status, `${answer.body['kind']}`], [status, kind], answer.text);
    }
    assert.equal((await fork('none', api.operator, 'new')).status, 404);
    assert.equal((await api.call('taken', theirs, 'read_file', { path: 'theirs.md' })).status, 200);
    assert.equal((await api.call('kept', owner, 'git_status', {})).status, 200);
    const names = await api.ask('GET', '/sandboxes', api.operator);
    assert.doesNotMatch(names.text, /"new"/);
    // Neither waits for the other.
    const both = await Promise.all([fork('kept', owner, 'taken'), fork('taken', theirs, 'kept')]);
    assert.deepEqual(both.map(({ status }) => status), [409, 409]);
    const race = await Promise.all([fork('kept', owner, 'new'), fork('kept', owner, 'new')]);
    assert.deepEqual(race.map(({ status }) => status).sort(), [201, 409]);
  });

  test('a copy that is cut off is there as a whole or not at all', async () => {
    const { api, owner, agent } = await here.scene('cut', WHOLE);
    await api.stage('cut', agent, 'long.txt', LONG);
    const expected = await seen('cut', owner);
    for (const [at, delay] of [0, 5, 15, 30, 60, 120].entries()) {
      const to = `cut-${at}`;
      const forking = unlessCut(fork('cut', owner, to));
      await Promise.race([forking, new Promise((resolve) => setTimeout(resolve, delay))]);
      await here.body.crash();
      const forked = await forking;
      const asked = await api.ask('POST', `/sandboxes/${to}/tokens`, api.operator, { role: 'owner' });
      if (forked) assert.deepEqual([forked.status, asked.status], [201, 201], 'what was answered is there');
      if (asked.status === 404) {
        const again = await fork('cut', owner, to);
        assert.equal(again.status, 201, again.text);
        assert.deepEqual(await seen(to, words(again.body['owner']?.['token'])), expected, to);
      } else assert.deepEqual(await seen(to, words(asked.body['token'])), expected, to);
      assert.equal((await api.call('cut', owner, 'git_status', {})).status, 200, 'the original serves on');
    }
  });

  test('a branch leaves as a bundle once somebody has approved it by its digest', async () => {
    const { api, owner, reviewer, agent } = await here.scene('bundled', WHOLE);
    await api.stage('bundled', agent, 'bundled.md', 'bundled\n');
    const status = (await api.call('bundled', owner, 'git_status', {})).text;
    const ask = (token: string, asked: object) => api.ask('POST', '/sandboxes/bundled/bundle', token, asked);
    assert.equal((await ask(agent, {})).status, 403);
    const pending = await ask(reviewer, {});
    assert.deepEqual([pending.status, pending.body['waits'], pending.body['outcome']], [202, false, 'pending']);
    assert.match(words(pending.body['push']?.['target']), /\/bundled\.bundle$/);
    assert.match(pending.text, /bundled\.md/);
    const shown = digest(pending);
    assert.equal((await ask(reviewer, { digest: 'x' })).status, 422);
    const another = await ask(reviewer, { digest: other(shown) });
    assert.deepEqual([another.status, digest(another)], [202, shown], another.text);
    const made = await ask(owner, { digest: shown });
    assert.deepEqual([made.status, made.headers.get('content-type')], [200, 'application/octet-stream'], made.text);
    assert.equal(made.text.split('\n')[0], '# v2 git bundle');
    assert.ok(!existsSync('/bundled.bundle'));
    const folder = await mkdtemp(join(tmpdir(), 'gitgate-bundle-'));
    try {
      const quiet = ['-c', 'init.defaultBranch=main'];
      const git = (...args: string[]): string =>
        execFileSync('git', [...quiet, ...args], { cwd: folder, encoding: 'utf8' }).trim();
      await writeFile(join(folder, 'a.bundle'), made.bytes);
      assert.match(git('bundle', 'list-heads', 'a.bundle'), /refs\/heads\/main/);
      git('clone', '--quiet', 'a.bundle', 'clone');
      git('-C', 'clone', 'fsck', '--strict');
      assert.equal(await readFile(join(folder, 'clone/bundled.md'), 'utf8'), 'bundled\n');
      assert.equal(git('-C', 'clone', 'log', '-1', '--format=%s'), 'Write bundled.md');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    assert.equal((await ask(owner, { digest: shown })).status, 202, 'a digest is for one bundle');
    const named = await ask(owner, { branch: 'trunk' });
    assert.equal(named.body['push']?.['branch'], 'trunk' as unknown, named.text);
    assert.notEqual(digest(named), shown);
    assert.equal((await api.call('bundled', owner, 'git_status', {})).text, status, 'nothing counts as pushed');
    assert.match((await get('bundled', owner, 'audit')).text, /bundled\.bundle/);
    // The sandbox continues where it was.
    await api.stage('bundled', agent, 'more.md');
    assert.equal((await push('bundled', owner, {})).status, 202);
  });

  test('a bundle is edited in the request for it, and leaves by the digest of what came of that', async () => {
    const { api, owner, reviewer, agent } = await here.scene('edited', WHOLE);
    await api.stage('edited', agent, 'edited.md', 'one\n');
    await api.stage('edited', agent, 'left.md', 'two\n');
    const ask = (token: string, asked: object) => api.ask('POST', '/sandboxes/edited/bundle', token, asked);
    const status = async () => (await api.call('edited', owner, 'git_status', {})).text;
    const before = await status();
    const shown = digest(await ask(reviewer, {}));
    const revision = { leaveOut: [{ path: 'left.md' }], message: 'Write one file' };
    assert.equal((await ask(agent, { revision })).status, 403);
    assert.equal((await ask(reviewer, { revision: { leave: [] } })).status, 400);
    const none = await ask(reviewer, { revision: { leaveOut: [{ path: 'none.md' }] } });
    assert.equal(none.status, 422);
    assert.match(none.text, /These commits do not change none\.md/);
    assert.equal(await status(), before);
    const edited = await ask(reviewer, { revision });
    assert.equal(edited.status, 202, edited.text);
    assert.doesNotMatch(edited.text, /left\.md/);
    assert.equal((await ask(reviewer, { digest: shown })).status, 202, 'what was shown before is not made');
    const made = await ask(reviewer, { digest: digest(edited) });
    assert.equal(made.status, 200, made.text);
    const folder = await mkdtemp(join(tmpdir(), 'gitgate-bundle-'));
    try {
      await writeFile(join(folder, 'a.bundle'), made.bytes);
      const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
      git('clone', '--quiet', '--bare', 'a.bundle', 'clone');
      const [subject, ...files] = git('-C', 'clone', 'show', '--format=%s', '--name-only', 'main').split('\n');
      assert.deepEqual([subject, files.filter(Boolean)], ['Write one file', ['edited.md']]);
      assert.doesNotMatch(git('-C', 'clone', 'log', '--all', '--format=', '--name-only'), /left\.md/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const audit = (await get('edited', owner, 'audit')).text;
    assert.match(audit, /leave out left\.md; set the message to "Write one file"/);
    assert.match(await status(), /\?\? left\.md/);
    assert.equal((await api.call('edited', owner, 'sandbox_undo', {})).status, 200);
    assert.equal(await status(), before, 'what was left out is back');
  });

  test('a sandbox with nothing to export says so', async () => {
    const owner = await here.body.api.create({ name: 'empty' });
    const answer = await here.body.api.ask('POST', '/sandboxes/empty/bundle', owner, {});
    assert.equal(answer.status, 422, answer.text);
    assert.equal((await here.body.api.call('empty', owner, 'git_status', {})).status, 200);
  });
});
