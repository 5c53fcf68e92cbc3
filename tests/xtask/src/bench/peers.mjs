// What isomorphic-git and wasm-git take for what they can do, each with the repository in memory, where it is fastest.
// node peers.mjs REPOSITORY ROUNDS FILE... prints medians in milliseconds as JSON.
import git from 'isomorphic-git';
import * as memfs from 'memfs';
import init from 'wasm-git/lg2.js';

import { isomorphic, wasm } from './operations.mjs';
import { entries, resolve } from './repository.mjs';

const [folder, rounds, ...files] = process.argv.slice(2);
const repository = () => ({
  entries: entries(folder),
  files,
  rounds: Number(rounds),
  otherAt: resolve(folder, 'HEAD~50'),
});

const times = { isomorphic: await isomorphic({ git, memfs }, repository()), wasm: await wasm(init, repository()) };
console.log(JSON.stringify(times));
