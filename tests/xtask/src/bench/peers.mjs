// What isomorphic-git and wasm-git take for what they can do, each with the repository in memory, where it is fastest.
// node peers.mjs REPOSITORY FILE ROUNDS prints medians in milliseconds as JSON.
import { readdirSync, readFileSync, readlinkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const [repository, file, rounds] = process.argv.slice(2);
const DIR = '/repo';

/** Every folder, file and link below `folder`. */
function* walk(folder, below = '') {
  for (const name of readdirSync(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const stat = lstatSync(join(folder, path));
    yield [path, stat];
    if (stat.isDirectory()) yield* walk(folder, path);
  }
}

/** The repository in a file system with functions as in node. */
function load(fs) {
  fs.mkdir(DIR);
  for (const [path, stat] of walk(repository)) {
    const [from, to] = [join(repository, path), `${DIR}/${path}`];
    if (stat.isDirectory()) fs.mkdir(to);
    else if (stat.isSymbolicLink()) fs.symlink(readlinkSync(from), to);
    else fs.write(to, readFileSync(from));
  }
}

/** The median of so many rounds, after one that does not count. */
async function median(count, work) {
  await work();
  const times = [];
  for (let round = 0; round < count; round++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 2)];
}

async function isomorphic() {
  const { default: git } = await import('isomorphic-git');
  const { Volume, createFsFromVolume } = await import('memfs');
  const fs = createFsFromVolume(new Volume());
  load({
    mkdir: (path) => fs.mkdirSync(path),
    symlink: (target, path) => fs.symlinkSync(target, path),
    write: (path, data) => fs.writeFileSync(path, data),
  });
  const dir = DIR;
  const cache = {};
  return {
    status: await median(3, () => git.statusMatrix({ fs, dir, cache })),
    log: await median(Number(rounds), () => git.log({ fs, dir, cache, depth: 100 })),
    logOfFile: await median(3, () => git.log({ fs, dir, cache, filepath: file, force: true })),
  };
}

async function wasm() {
  const { default: init } = await import('wasm-git/lg2.js');
  const said = [];
  const lg = await init({ print: (line) => said.push(line), printErr: (line) => said.push(line) });
  const { FS } = lg;
  load({
    mkdir: (path) => FS.mkdir(path),
    symlink: (target, path) => FS.symlink(target, path),
    write: (path, data) => FS.writeFile(path, data),
  });
  FS.chdir(DIR);
  const run = (...words) => {
    said.length = 0;
    lg.callMain(words);
    if (said.some((line) => /^(error|.*ERROR|Failed)/.test(line))) throw new Error(`${words}: ${said.join('\n')}`);
  };
  // Its own index, with the times that its file system has.
  FS.unlink(`${DIR}/.git/index`);
  run('reset', '--hard', 'HEAD');
  return {
    status: await median(5, () => run('status')),
    log: await median(Number(rounds), () => run('log', '-n', '100')),
    logOfFile: await median(5, () => run('log', file)),
    diff: await median(5, () => run('diff', 'HEAD~50', 'HEAD')),
    blame: await median(5, () => run('blame', file)),
  };
}

console.log(JSON.stringify({ isomorphic: await isomorphic(), wasm: await wasm() }));
