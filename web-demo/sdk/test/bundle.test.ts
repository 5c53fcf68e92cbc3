// The checked-out branch of a sandbox from a git bundle. Nothing of it is staged.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { browser } from './browser.js';
import type { Browser } from './browser.js';

let chrome: Browser;
let folder: string;

before(async () => {
  [chrome, folder] = await Promise.all([browser(), mkdtemp(join(tmpdir(), 'gitgate-'))]);
  git('init', '--quiet', '--initial-branch=trunk');
  git('commit', '--quiet', '--allow-empty', '--message=One');
  git('switch', '--quiet', '--create=topic/a');
  git('commit', '--quiet', '--allow-empty', '--message=Two');
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await chrome.close();
});

function git(...args: string[]): void {
  const [name, email] = ['Ada', 'ada@example.org'];
  const who = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
}

/** Opens a bundle of these refs and reports its state, or why it cannot be opened. */
async function look(refs: string[], branch?: string) {
  git('bundle', 'create', '--quiet', 'one.bundle', ...refs);
  const base64 = (await readFile(join(folder, 'one.bundle'))).toString('base64');
  const page = await chrome.page(chrome.served.plain);
  const seen = await page.evaluate(
    async ({ base64, branch }) => {
      const bundle = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const from = { bundle, ...(branch !== undefined && { branch }) };
      const identity = 'Ada <ada@example.org>';
      const opened = gitgate.openSandbox({ name: 'one', storage: gitgate.memory(), identity, from });
      const sandbox = await opened.catch(({ kind, message, hint }) => ({ wrong: `${kind}: ${message}; ${hint}` }));
      if ('wrong' in sandbox) return sandbox;
      const { structured } = await sandbox.status();
      const log = await sandbox.call('git_log', { oneline: true });
      const before = (await sandbox.staged()).length;
      await sandbox.call('write_file', { path: 'a.md', content: 'one\n' });
      await sandbox.call('git_stage', { files: ['a.md'], message: 'Add a file' });
      const staged = (await sandbox.staged()).length;
      sandbox.onQuestion(() => ({ say: 'approve' }));
      const exported = await sandbox.exportBundle('trunk');
      const { sound } = await sandbox.fsck();
      await sandbox.close();
      const lines = log.outcome === 'done' ? log.text.trim().split('\n').length : 0;
      const on = Object.assign({ branch: '' }, structured).branch;
      return { branch: on, commits: lines, before, staged, exported: exported.outcome, sound };
    },
    { base64, branch },
  );
  await page.close();
  return seen;
}

test('a bundle is opened at its HEAD, at its only branch, or at the one that is named', async () => {
  const sound = { before: 0, staged: 1, exported: 'done', sound: true };
  assert.deepEqual(await look(['HEAD', 'trunk', 'topic/a']), { branch: 'topic/a', commits: 2, ...sound });
  assert.deepEqual(await look(['trunk']), { branch: 'trunk', commits: 1, ...sound });
  assert.deepEqual(await look(['trunk', 'topic/a'], 'topic/a'), { branch: 'topic/a', commits: 2, ...sound });
});

test('a branch that a bundle does not have is an error that names those it has', async () => {
  const wrong = "usage: the bundle has no branch 'other'; name one of its branches: topic/a, trunk";
  assert.deepEqual(await look(['trunk', 'topic/a'], 'other'), { wrong });
});

test('nothing is staged of a bundle whose HEAD is at no branch', async () => {
  git('switch', '--quiet', '--detach');
  git('commit', '--quiet', '--allow-empty', '--message=Three');
  const seen = await look(['HEAD', 'trunk']);
  git('switch', '--quiet', 'topic/a');
  assert.ok('before' in seen && seen.before === 0 && seen.staged === 1, JSON.stringify(seen));
});
