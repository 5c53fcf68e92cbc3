// A repository that git itself serves, to whoever signs in as Ada, and to pages of any origin.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { server } from './listening.js';

/** Other packages build this file into folders of their own, at other depths. */
const BACKEND = ['../../../..', '../../../../..']
  .map((root) => fileURLToPath(new URL(`${root}/tests/xtask/src/bench/backend.mjs`, import.meta.url)))
  .find((file) => existsSync(file));
export const ADA = { username: 'ada', password: 'secret' };
const BASIC = `Basic ${btoa(`${ADA.username}:${ADA.password}`)}`;
const SENT = ['content-type', 'accept', 'git-protocol'];

/** Where git serves a folder's repositories to everybody. */
async function served(folder: string, t: TestContext): Promise<string> {
  const child = spawn(process.execPath, [BACKEND ?? assert.fail('there is no script'), folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  for await (const line of createInterface({ input: child.stdout })) return `http://127.0.0.1:${line}`;
  return assert.fail('git serves nothing');
}

/** Stands before that server, and lets in whoever may. */
async function door(behind: string, t: TestContext): Promise<string> {
  const { base } = await server(t, async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', ['authorization', ...SENT].join());
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (request.headers.authorization !== BASIC) return response.writeHead(401).end();
    const sent = SENT.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(`${behind}${request.url}`, {
      method: request.method ?? '',
      headers: sent,
      ...(request.method === 'POST' && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  return base;
}

export interface Repository {
  address: string;
  /** What a git command in it prints. */
  git(...args: string[]): Promise<string>;
}

/** A repository with one file, README.md, at `main`. */
export async function repository(t: TestContext): Promise<Repository> {
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-backend-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
  };
  const run = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: folder, env })).stdout;
  await mkdir(join(folder, 'work'));
  await run('init', '-q', '-b', 'main', 'work');
  await writeFile(join(folder, 'work/README.md'), '# Project\n');
  await run('-C', 'work', 'add', '.');
  await run('-C', 'work', 'commit', '-qm', 'Begin');
  await run('clone', '-q', '--bare', 'work', 'project.git');
  const base = await door(await served(folder, t), t);
  return { address: `${base}/project.git`, git: (...args) => run('-C', 'project.git', ...args) };
}
