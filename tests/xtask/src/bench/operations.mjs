// What isomorphic-git and wasm-git do when they are measured, in node and in a page alike.
// A repository is given as `entries`: folders before what is in them, each `{ path, data }` for a
// file, `{ path, target }` for a link, and `{ path }` for a folder.

const DIR = '/repo';
const AUTHOR = { name: 'Ada Example', email: 'ada@example.org' };
/** A branch that is not the current one. */
const OTHER = 'other';

/** What a file has after a change. */
export const content = (path, round) => `${path} in round ${round}\n${'a line of text\n'.repeat(40)}`;

/** The one in the middle. */
export const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** Rounds after which V8 has compiled for speed what is hot, and milliseconds after which there are no more of them. */
const WARM = { rounds: 200, milliseconds: 1000 };

/** The median of so many rounds, after at most so many that do not count. What `prepare` does is not measured. */
export async function median(count, work, prepare = () => {}, most = WARM.rounds) {
  const times = [];
  const took = async (round) => {
    await prepare(round);
    const begin = performance.now();
    await work(round);
    return performance.now() - begin;
  };
  let warm = 0;
  for (let round = 1; round <= most && (warm < WARM.milliseconds || round === 1); round++) warm += await took(-round);
  for (let round = 0; round < count; round++) times.push(await took(round));
  return middle(times);
}

/** Puts the repository into a file system. */
function load(entries, { mkdir, symlink, write }) {
  mkdir(DIR);
  for (const { path, target, data } of entries) {
    if (data) write(`${DIR}/${path}`, data);
    else if (target === undefined) mkdir(`${DIR}/${path}`);
    else symlink(target, `${DIR}/${path}`);
  }
}

/** isomorphic-git on memfs; the history that is read is that of the first of `files`, and all are changed. */
export async function isomorphic({ git, memfs }, { entries, files, rounds, otherAt }) {
  const fs = memfs.createFsFromVolume(new memfs.Volume());
  load(entries, {
    mkdir: (path) => fs.mkdirSync(path),
    symlink: (target, path) => fs.symlinkSync(target, path),
    write: (path, data) => fs.writeFileSync(path, data),
  });
  const [file] = files;
  const dir = DIR;
  const cache = {};
  fs.writeFileSync(`${DIR}/.git/refs/heads/${OTHER}`, otherAt);
  await git.setConfig({ fs, dir, path: 'user.name', value: AUTHOR.name });
  await git.setConfig({ fs, dir, path: 'user.email', value: AUTHOR.email });
  const write = (round) => files.forEach((path) => fs.writeFileSync(`${DIR}/${path}`, content(path, round)));
  return {
    status: await median(3, () => git.statusMatrix({ fs, dir, cache })),
    log: await median(rounds, () => git.log({ fs, dir, cache, depth: 100 })),
    logOfFile: await median(3, () => git.log({ fs, dir, cache, filepath: file, force: true })),
    checkout: await median(3, async () => {
      await git.checkout({ fs, dir, cache, ref: OTHER });
      await git.checkout({ fs, dir, cache, ref: 'main' });
    }),
    stash: await median(3, async () => {
      await git.stash({ fs, dir, op: 'push' });
      await git.stash({ fs, dir, op: 'pop' });
    }, write, rounds),
    commit: await median(3, async () => {
      await git.add({ fs, dir, cache, filepath: files });
      await git.commit({ fs, dir, cache, message: 'Change', author: AUTHOR });
    }, write, rounds),
  };
}

/** The same of wasm-git in its memory. */
export async function wasm(init, { entries, files, rounds, otherAt }) {
  const said = [];
  const lg = await init({ print: (line) => said.push(line), printErr: (line) => said.push(line) });
  const { FS } = lg;
  load(entries, {
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
  FS.writeFile(`${DIR}/.git/refs/heads/${OTHER}`, otherAt);
  const config = FS.readFile(`${DIR}/.git/config`, { encoding: 'utf8' });
  FS.writeFile(`${DIR}/.git/config`, `${config}[user]\n\tname = ${AUTHOR.name}\n\temail = ${AUTHOR.email}\n`);
  const [file] = files;
  const write = (round) => files.forEach((path) => FS.writeFile(`${DIR}/${path}`, content(path, round)));
  // Hundreds of calls in one process have ended in an access out of bounds.
  const few = (count, work, prepare) => median(count, work, prepare, rounds);
  return {
    status: await few(5, () => run('status')),
    log: await few(rounds, () => run('log', '-n', '100')),
    logOfFile: await few(5, () => run('log', file)),
    diff: await few(5, () => run('diff', 'HEAD~50', 'HEAD')),
    blame: await few(5, () => run('blame', file)),
    checkout: await few(5, () => {
      run('checkout', OTHER);
      run('checkout', 'main');
    }),
    stash: await few(5, () => {
      run('stash', 'push');
      run('stash', 'pop');
    }, write),
    commit: await few(5, () => {
      run('add', ...files);
      run('commit', '-m', 'Change');
    }, write),
  };
}
