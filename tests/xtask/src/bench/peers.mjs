// What isomorphic-git and wasm-git take for what they can do, each with the repository in memory, where it is fastest.
// node peers.mjs REPOSITORY ROUNDS FILE... prints medians in milliseconds as JSON. The history that is read is that of the first file; all are changed.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const [repository, rounds, ...files] = process.argv.slice(2);
const [file] = files;
const DIR = '/repo';
const AUTHOR = { name: 'Ada Example', email: 'ada@example.org' };
/** A branch that is not the current one. */
const OTHER = 'other';
const OTHER_AT = execFileSync('git', ['-C', repository, 'rev-parse', 'HEAD~50'], { encoding: 'utf8' });

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

/** Other content for every file in each round. */
function change(write, round) {
  for (const path of files) write(`${DIR}/${path}`, `${path} in round ${round}\n${'a line of text\n'.repeat(40)}`);
}

/** The median of so many rounds, after one that does not count. What `prepare` does is not measured. */
async function median(count, work, prepare = () => {}) {
  prepare(-1);
  await work();
  const times = [];
  for (let round = 0; round < count; round++) {
    prepare(round);
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
  fs.writeFileSync(`${DIR}/.git/refs/heads/${OTHER}`, OTHER_AT);
  await git.setConfig({ fs, dir, path: 'user.name', value: AUTHOR.name });
  await git.setConfig({ fs, dir, path: 'user.email', value: AUTHOR.email });
  const write = (round) => change((path, text) => fs.writeFileSync(path, text), round);
  return {
    status: await median(3, () => git.statusMatrix({ fs, dir, cache })),
    log: await median(Number(rounds), () => git.log({ fs, dir, cache, depth: 100 })),
    logOfFile: await median(3, () => git.log({ fs, dir, cache, filepath: file, force: true })),
    checkout: await median(3, async () => {
      await git.checkout({ fs, dir, cache, ref: OTHER });
      await git.checkout({ fs, dir, cache, ref: 'main' });
    }),
    stash: await median(3, async () => {
      await git.stash({ fs, dir, op: 'push' });
      await git.stash({ fs, dir, op: 'pop' });
    }, write),
    commit: await median(3, async () => {
      await git.add({ fs, dir, cache, filepath: files });
      await git.commit({ fs, dir, cache, message: 'Change', author: AUTHOR });
    }, write),
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
  FS.writeFile(`${DIR}/.git/refs/heads/${OTHER}`, OTHER_AT);
  const config = FS.readFile(`${DIR}/.git/config`, { encoding: 'utf8' });
  FS.writeFile(`${DIR}/.git/config`, `${config}[user]\n\tname = ${AUTHOR.name}\n\temail = ${AUTHOR.email}\n`);
  const write = (round) => change((path, text) => FS.writeFile(path, text), round);
  return {
    status: await median(5, () => run('status')),
    log: await median(Number(rounds), () => run('log', '-n', '100')),
    logOfFile: await median(5, () => run('log', file)),
    diff: await median(5, () => run('diff', 'HEAD~50', 'HEAD')),
    blame: await median(5, () => run('blame', file)),
    checkout: await median(5, () => {
      run('checkout', OTHER);
      run('checkout', 'main');
    }),
    stash: await median(5, () => {
      run('stash', 'push');
      run('stash', 'pop');
    }, write),
    commit: await median(5, () => {
      run('add', ...files);
      run('commit', '-m', 'Change');
    }, write),
  };
}

console.log(JSON.stringify({ isomorphic: await isomorphic(), wasm: await wasm() }));
