// What the worker takes in workerd: node edge.mjs EDGE FOLDER S L

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { serve } from './hub.mjs';

const [edge, folder, small, large] = process.argv.slice(2);
const { start } = await import(join(edge, 'scripts/workerd.mjs'));
const OPERATOR = 'gitgate_operator_of_the_bench';

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const late = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)];

async function begin(name, github) {
  const own = join(folder, name);
  const options = {
    folder: own,
    dist: join(edge, 'dist'),
    vars: { OPERATOR_TOKEN: OPERATOR, GITHUB_TOKEN: 'hunter2', GITHUB_API_URL: github },
  };
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  let worker = await start(options);
  const ask = async (path, token, body) => {
    const response = await fetch(worker.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const end = async () => {
    worker.child.kill('SIGKILL');
    await worker.ended;
  };
  return {
    end,
    create: async (from, name = 'one') => (await ask('/sandboxes', OPERATOR, { name, from })).owner.token,
    call: (token, tool, args = {}) => ask(`/sandboxes/one/tools/${tool}`, token, args),
    restart: async () => {
      await end();
      worker = await start(options);
      // The worker itself is compiled by what is about no sandbox.
      await fetch(`${worker.url}/openapi.json`);
    },
    /** Milliseconds of a status of that sandbox. */
    status: async (name, token) => {
      const from = performance.now();
      await ask(`/sandboxes/${name}/tools/git_status`, token, {});
      return performance.now() - from;
    },
    /** MiB that the process has, and had at most. */
    memory: async () => {
      const status = await readFile(`/proc/${worker.child.pid}/status`, 'utf8');
      return ['VmRSS', 'VmHWM'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
    },
  };
}

/** git's own server of a repository, which leaves out the files that nobody asks for. */
async function backend(repo) {
  const served = join(folder, 'served');
  await rm(served, { recursive: true, force: true });
  const bare = join(served, 'project.git');
  execFileSync('git', ['clone', '--quiet', '--bare', '--no-local', repo, bare]);
  execFileSync('git', ['-C', bare, 'config', 'uploadpack.allowFilter', 'true']);
  const child = spawn('node', ['backend.mjs', served], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${Number(port)}/project.git`, close: () => child.stdin.end() };
}

/**
 * The first status of a worker that has just started, which is of another sandbox, and then that of one
 * whose object is not open.
 */
async function colds(body, token, other) {
  const [first, object] = [[], []];
  for (let time = 0; time < 7; time += 1) {
    await body.restart();
    first.push(await body.status('other', other));
    object.push(await body.status('one', token));
  }
  return { first: median(first), object: median(object) };
}

/** The times that 16 clients wait for `calls` calls each, which each begins when `next` has ended. */
async function clients(body, token, calls, next) {
  const times = [];
  const client = async (_, at) => {
    for (let call = 0; call < calls; call += 1) {
      await next(at, call);
      times.push(await body.status('one', token));
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return { late: late(times), median: median(times) };
}

const hubs = await Promise.all([small, large].map(serve));
const git = await backend(large);
try {
  const s = await begin('S', hubs[0].base);
  const owner = await s.create({ github: 'ada/project', depth: 0 });
  const other = await s.create({ github: 'ada/project', depth: 0 }, 'other');
  await s.call(owner, 'git_status');
  // Each asks again as soon as it has its answer.
  const hurried = await clients(s, owner, 100, () => undefined);
  // Each asks four times a second, at times of its own.
  const begun = performance.now();
  const calm = await clients(s, owner, 40, (at, call) => {
    const due = begun + call * 250 + (at * 250) / 16;
    return new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  });
  const cold = await colds(s, owner, other);
  for (let stage = 0; stage < 1000; stage += 1) {
    await s.call(owner, 'write_file', { path: `staged/${stage % 10}.md`, content: `${stage}\n` });
    await s.call(owner, 'git_stage', { files: [`staged/${stage % 10}.md`], message: `Stage ${stage}` });
  }
  const staged = await colds(s, owner, other);
  await s.end();

  const none = await begin('none', hubs[1].base);
  const nobody = await none.create(undefined);
  await none.call(nobody, 'git_status');
  const [without] = await none.memory();
  await none.end();
  const l = await begin('L', hubs[1].base);
  const token = await l.create({ github: 'ada/project', depth: 1, paths: ['part0', 'part1', 'part2'] });
  const [, most] = await l.memory();
  await l.restart();
  await l.status('one', token);
  const [opened] = await l.memory();
  const another = await l.create(undefined, 'other');
  const part = await colds(l, token, another);
  await l.end();
  const far = await begin('git', hubs[1].base);
  await far.create({ git: git.url, depth: 1, paths: ['part0', 'part1', 'part2'] });
  const [, mostByGit] = await far.memory();
  await far.end();
  console.log(
    JSON.stringify({
      calm: calm.late,
      late: hurried.late,
      median: hurried.median,
      first: cold.first,
      cold: cold.object,
      staged: staged.object,
      large: part.object,
      memory: { without, import: most, importByGit: mostByGit, opened },
    }),
  );
} finally {
  git.close();
  for (const hub of hubs) hub.close();
}
