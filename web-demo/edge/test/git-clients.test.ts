// Programs that speak git's protocol as clients of each server: git itself, isomorphic-git and dulwich.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

import { words } from './api.js';
import type { Answer } from './api.js';
import { each } from './each.js';
import type { Scene } from './each.js';

const PYTHON = process.env['GITGATE_TEST_SCHEMATHESIS'] && join(dirname(process.env['GITGATE_TEST_SCHEMATHESIS']), 'python');
const ADA = { name: 'Ada', email: 'ada@example.org' };

interface Ended {
  code: number | null;
  said: string;
}

/** A program that runs in an empty folder of its own. */
class Program {
  said = '';
  readonly ended: Promise<Ended>;
  #heard = (): void => undefined;

  constructor(folder: string, command: string, args: string[]) {
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
      ...{ GIT_AUTHOR_NAME: ADA.name, GIT_AUTHOR_EMAIL: ADA.email },
      ...{ GIT_COMMITTER_NAME: ADA.name, GIT_COMMITTER_EMAIL: ADA.email },
    };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        this.said += text;
        this.#heard();
      });
    }
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, said: this.said }));
    });
  }

  /** Waits until it has said this. */
  async says(text: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#heard = () => this.said.includes(text) && resolve();
      this.#heard();
    });
    await Promise.race([heard, this.ended]);
    assert.ok(this.said.includes(text), this.said);
  }
}

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'gitgate-client-'));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function run(place: string, command: string, ...args: string[]): Promise<string> {
  const { code, said } = await new Program(place, command, args).ended;
  assert.equal(code, 0, `${command} ${args.join(' ')}: ${said}`);
  return said.trim();
}

const address = ({ api, agent }: Scene, name: string): string => `${api.url.replace('//', `//x:${agent}@`)}/git/${name}`;

/** Decides about the push that waits. */
async function decide({ api, reviewer }: Scene, name: string, decision: object): Promise<Answer> {
  const waiting = await api.ask('GET', `/sandboxes/${name}/waiting`, reviewer);
  const place = `/sandboxes/${name}/waiting/${words(waiting.body['waiting']?.[0]?.['id'])}`;
  const digest = words((await api.ask('GET', place, reviewer)).body['push']?.['push']?.['digest']);
  const isApproval = 'say' in decision && decision.say === 'approve';
  return api.ask('POST', `${place}/decision`, reviewer, { ...decision, ...(isApproval && { digest }) });
}

each((here) => {
  test('an agent with git alone waits for its review, is rejected, amends and lands what was approved', async (t) => {
    const scene = await here.scene('by-git');
    const place = await folder(t);
    const clone = join(place, 'clone');
    const inClone = (...args: string[]): Promise<string> => run(clone, 'git', ...args);
    await run(place, 'git', 'clone', '-q', address(scene, 'by-git'), clone);
    await writeFile(join(clone, 'notes.md'), 'one\n');
    await inClone('add', '.');
    await inClone('commit', '-qm', 'Add notes');
    const first = new Program(clone, 'git', ['push', '-o', 'wait']);
    await first.says('waiting for review');
    await decide(scene, 'by-git', { say: 'reject', reason: 'Say what of' });
    const rejected = await first.ended;
    assert.match(rejected.said, /remote: rejected: Say what of/);
    assert.notEqual(rejected.code, 0);
    await writeFile(join(clone, 'notes.md'), 'of today\n');
    await inClone('commit', '-qa', '--amend', '--no-edit');
    const second = new Program(clone, 'git', ['push', '-o', 'wait']);
    await second.says('waiting for review');
    const landed = await decide(scene, 'by-git', { say: 'approve' });
    assert.deepEqual([landed.status, landed.body['structured']?.['status']], [200, 'success'], landed.text);
    const { code, said } = await second.ended;
    assert.equal(code, 0, said);
    assert.equal(here.hub.head, await inClone('rev-parse', 'HEAD'), 'what was approved has its id');
    await inClone('fetch', '-q');
    assert.equal(await inClone('rev-parse', 'origin/main'), here.hub.head);
  });

  test('isomorphic-git clones, and what it pushes is proposed and lands', async (t) => {
    const scene = await here.scene('by-isomorphic');
    const dir = join(await folder(t), 'clone');
    const url = `${scene.api.url}/git/by-isomorphic`;
    const onAuth = () => ({ username: 'x', password: scene.agent });
    await git.clone({ fs, http, dir, url, onAuth });
    await writeFile(join(dir, 'isomorphic.md'), 'one\n');
    await git.add({ fs, dir, filepath: 'isomorphic.md' });
    const commit = await git.commit({ fs, dir, message: 'Add it', author: ADA });
    const said: string[] = [];
    const pushed = await git.push({ fs, http, dir, onAuth, onMessage: (line) => void said.push(line) });
    assert.ok(pushed.ok, said.join(''));
    assert.match(said.join(''), /waiting for review/);
    const landed = await decide(scene, 'by-isomorphic', { say: 'approve' });
    assert.equal(landed.status, 200, landed.text);
    assert.equal(here.hub.head, commit);
    assert.equal(here.hub.files()['isomorphic.md'], 'one\n');
  });

  const skip = PYTHON === undefined && 'cargo xtask test installs dulwich';
  test('dulwich clones, and what it pushes is proposed and lands', { skip }, async (t) => {
    // dulwich 1.2 takes the line that says where a shallow repository ends for a ref.
    const scene = await here.scene('by-dulwich', { depth: 0 });
    const place = await folder(t);
    const clone = join(place, 'clone');
    const dulwich = (code: string): Promise<string> =>
      run(place, PYTHON ?? '', '-c', `from dulwich import porcelain as git\n${code}`);
    const url = JSON.stringify(address(scene, 'by-dulwich'));
    await dulwich(`git.clone(${url}, "clone")`);
    await writeFile(join(clone, 'dulwich.md'), 'one\n');
    const who = 'Ada <ada@example.org>';
    await dulwich(
      [
        `git.add("clone", [${JSON.stringify(join(clone, 'dulwich.md'))}])`,
        `git.commit("clone", message=b"Add it", author=b"${who}", committer=b"${who}")`,
        `git.push("clone", ${url}, b"refs/heads/main")`,
      ].join('\n'),
    );
    const landed = await decide(scene, 'by-dulwich', { say: 'approve' });
    assert.equal(landed.status, 200, landed.text);
    assert.equal(here.hub.files()['dulwich.md'], 'one\n');
  });
});
