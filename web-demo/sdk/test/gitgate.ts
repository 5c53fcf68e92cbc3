// The command `gitgate serve` with sandboxes in a separate home, for tests. Another step builds it.

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The path of the command. */
export const GITGATE = process.env['GITGATE_TEST_GITGATE'];
/** The reason to skip tests without it. */
export const skip = GITGATE === undefined && 'GITGATE_TEST_GITGATE names the command';

export type Role = 'owner' | 'reviewer' | 'agent';

export class Gitgate {
  readonly #folder: string;
  readonly #server: ChildProcess;
  readonly origin: string;
  /** The environment with this home. */
  readonly env: NodeJS.ProcessEnv;
  readonly #operator: string;
  #isClosed = false;

  private constructor(
    folder: string,
    env: NodeJS.ProcessEnv,
    server: ChildProcess,
    { url, token }: { url: string; token: string },
  ) {
    this.env = env;
    this.#folder = folder;
    this.#server = server;
    this.origin = url;
    this.#operator = token;
  }

  /** With a repository `project` of one file, and a sandbox `default` from it. */
  static async start(): Promise<Gitgate> {
    const folder = await mkdtemp(join(tmpdir(), 'gitgate-serve-'));
    const home = join(folder, 'gitgate');
    await mkdir(home);
    await mkdir(join(folder, 'project'));
    await writeFile(join(home, 'gitgate.toml'), '[tools.git]\npush = "assisted"\n');
    await writeFile(join(folder, 'project/README.md'), '# Project\n');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      GITGATE_HOME: home,
      // Modules are compiled once.
      XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    };
    const git = (...args: string[]): void => {
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
      execFileSync('git', [...who, ...args], { cwd: join(folder, 'project'), env, stdio: 'pipe' });
    };
    git('init', '--quiet', '--initial-branch=main');
    git('add', 'README.md');
    git('commit', '--quiet', '--message=Begin');
    const command = GITGATE ?? 'gitgate';
    const identity = ['--identity', 'Ada <ada@example.org>'];
    const made = ['-s', 'default', 'new', '--push-to', 'origin', '--from', 'local:project', ...identity];
    execFileSync(command, made, { cwd: folder, env, stdio: 'pipe' });
    const server = spawn(command, ['serve', '--listen', '127.0.0.1:0', '--json'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: server.stdout })) {
      return new Gitgate(folder, env, server, JSON.parse(line) as { url: string; token: string });
    }
    throw new Error('it does not serve');
  }

  url(name = 'default'): string {
    return `${this.origin}/sandboxes/${name}`;
  }

  /** A new token of a sandbox. */
  async token(role: Role, name = 'default'): Promise<string> {
    return (await this.#ask<{ token: string }>(`/sandboxes/${name}/tokens`, { role })).token;
  }

  /** Creates an empty sandbox. */
  async make(name: string, more: { policy?: 'strict' } = {}): Promise<void> {
    await this.#ask('/sandboxes', { name, identity: 'Ada <ada@example.org>', ...more });
  }

  /** git's output about the repository. */
  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: join(this.#folder, 'project'), encoding: 'utf8' }).trim();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#server.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ask<T>(path: string, body: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.#operator}`, 'content-type': 'application/json' };
    const response = await fetch(this.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}
