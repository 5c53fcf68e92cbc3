// The servers of the interface: this worker in workerd, and the native command.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { start } from '../../../scripts/workerd.mjs';
import { Api } from './api.js';

/** The native command, if it was built. */
export const NATIVE = process.env['GITGATE_TEST_GITGATE'];
/** Where the tested code was built: this runs in `.test/edge/test`. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CONFIG = '[tools.git]\npush = "assisted"\n';
export const OPERATOR = 'gitgate_operator_of_the_tests';
/** The origin of a page that may call the server. */
export const PAGE = 'https://page.example';

export interface Body {
  name: string;
  api: Api;
  /** Kills it at once, as a crash does, and restarts it with its stored data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  url: string;
  child: ChildProcess;
}

class Started implements Body {
  api: Api;
  #child: ChildProcess;

  private constructor(
    readonly name: string,
    readonly folder: string,
    readonly run: (folder: string) => Promise<Running>,
    { url, child }: Running,
  ) {
    this.api = new Api(url, OPERATOR);
    this.#child = child;
  }

  static async of(name: string, run: (folder: string) => Promise<Running>): Promise<Body> {
    const folder = await mkdtemp(join(tmpdir(), 'gitgate-edge-'));
    return new Started(name, folder, run, await run(folder));
  }

  async #kill(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async crash(): Promise<void> {
    await this.#kill();
    const { url, child } = await this.run(this.folder);
    this.#child = child;
    this.api.url = url;
  }

  async stop(): Promise<void> {
    await this.#kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Variables for some tests only. */
export interface Vars {
  [name: string]: string;
}

/** This worker's bindings. Its requests to GitHub go to `github`. */
export const vars = (github: string, more: Vars = {}) => ({
  ...more,
  OPERATOR_TOKEN: OPERATOR,
  ALLOW_ORIGINS: PAGE,
  GITHUB_TOKEN: 'hunter2',
  GITHUB_API_URL: github,
  CONFIG,
});

/** This worker. */
export function edge(github: string, more?: Vars): Promise<Body> {
  return Started.of('edge', (folder) => start({ folder, dist: join(ROOT, 'dist'), vars: vars(github, more) }));
}

/** `gitgate serve`. */
export function native(github: string, more?: Vars): Promise<Body> {
  return Started.of('native', async (folder) => {
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'gitgate.toml'), CONFIG);
    const env = {
      ...process.env,
      ...more,
      GITGATE_HOME: home,
      GITGATE_SERVE_TOKEN: OPERATOR,
      GITHUB_TOKEN: 'hunter2',
      GITHUB_API_URL: github,
      TZ: 'UTC',
    };
    const child = spawn(NATIVE ?? '', ['serve', '--listen', '127.0.0.1:0', '--json', '--allow-origin', PAGE], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      child.once('exit', (code) => reject(new Error(`gitgate serve has ended: ${code}`)));
    });
    const told: { url: string } = JSON.parse(line);
    assert.ok(told.url.startsWith('http://127.0.0.1:'));
    return { url: told.url, child };
  });
}
