// What is measured in a page: gitgate through its SDK, with its records in OPFS, and the others with
// the repository in the page's memory. pages.mjs bundles this and calls it.
import git from 'isomorphic-git';
import * as memfs from 'memfs';

import { content, isomorphic, median, middle, wasm } from './operations.mjs';

const NAME = 'bench';
/** Rounds of opening a sandbox. */
const OPENINGS = 5;

/** Calls of the Worker that there is. */
let made = 0;

const sdk = () => import(new URL('/src/index.js', location.href).href);

async function open(from) {
  const { openSandbox, opfs } = await sdk();
  const identity = 'Ada <ada@example.org>';
  // Its Worker notes how long each flush and each call takes.
  const assets = { worker: '/worker.mjs' };
  made = 0;
  return openSandbox({ name: NAME, storage: opfs(), identity, from, assets, timeoutMs: 600_000 });
}

async function call(sandbox, { tool, args }) {
  made += 1;
  const reply = await sandbox.call(tool, args, { as: 'user' });
  if (reply.outcome !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`);
  return reply;
}

async function callAll(sandbox, calls) {
  let reply;
  for (const one of calls) reply = await call(sandbox, one);
  return reply;
}

/** What the Worker has noted. */
function noted() {
  const channel = new BroadcastChannel('noted');
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => (channel.close(), resolve(data));
    channel.postMessage('noted');
  });
}

/** Times of all operations, in the page and in the Worker, of a flush, and of opening the sandbox as it was imported up to the first answer. */
async function gitgate({ operations, files, before }) {
  const bundle = new Uint8Array(await (await fetch('/repository.bundle')).arrayBuffer());
  let sandbox = await open({ bundle });
  const openings = [];
  for (let round = 0; round < OPENINGS; round++) {
    await sandbox.close();
    const begin = performance.now();
    sandbox = await open();
    await call(sandbox, { tool: 'git_status', args: {} });
    openings.push(performance.now() - begin);
  }
  await callAll(sandbox, before);
  const change = (round) =>
    callAll(
      sandbox,
      files.map((path) => ({ tool: 'write_file', args: { path, content: content(path, round) } })),
    );
  let changes = 0;
  const measure = async ({ operation, calls, rounds, changed, list }) => {
    if (changed !== 'never') await change((changes += 1));
    const { structured } = await callAll(sandbox, calls);
    if (list && !(structured[list[0]].length >= list[1])) throw new Error(`${operation}: too few ${list[0]}`);
    const prepare = changed === 'each' ? () => change((changes += 1)) : undefined;
    const spans = [];
    const work = async (round) => {
      const from = made;
      await callAll(sandbox, calls);
      if (round >= 0) spans.push([from, made]);
    };
    // What is changed again and again makes a history of its own, so there is less of that.
    return { page: await median(rounds, work, prepare, changed === 'never' ? undefined : rounds), spans };
  };
  const measured = {};
  for (const operation of operations) measured[operation.operation] = await measure(operation);
  const worker = await noted();
  await sandbox.close();
  const sum = ([from, to]) => worker.calls.slice(from, to).reduce((all, one) => all + one, 0);
  const both = ({ page, spans }) => ({ page, worker: middle(spans.map(sum)) });
  const times = Object.fromEntries(Object.entries(measured).map(([name, one]) => [name, both(one)]));
  return { times, flush: middle(worker.flushes), reopen: middle(openings) };
}

/** The repository as pages.mjs serves it: a list, and all contents one after the other. */
async function entries() {
  const [list, all] = await Promise.all([fetch('/repository.json'), fetch('/repository.bin')]);
  const contents = new Uint8Array(await all.arrayBuffer());
  let at = 0;
  return (await list.json()).map(({ path, target, size }) => {
    if (size === undefined) return { path, target };
    const data = contents.slice(at, at + size);
    at += size;
    return { path, data };
  });
}

globalThis.bench = {
  gitgate,
  isomorphic: async (input) => isomorphic({ git, memfs }, { ...input, entries: await entries() }),
  wasm: async (input) => {
    const { default: init } = await import(new URL('/lg2.js', location.href).href);
    return wasm(init, { ...input, entries: await entries() });
  },
};
