// What gitgate, isomorphic-git and wasm-git take in a page of Chromium.
// node pages.mjs WEB-DEMO CHROMIUM REPOSITORY FOLDER reads the calls as JSON, and prints medians in milliseconds as JSON.
// FOLDER is on a disk: Chromium's profiles are there, and so is what a sandbox keeps.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { middle } from './operations.mjs';
import { profiles } from './profile.mjs';
import { resolve } from './repository.mjs';
import { serve } from './served.mjs';

const [web, chromium, repository, folder] = process.argv.slice(2);
const input = { ...JSON.parse(readFileSync(0, 'utf8')), otherAt: resolve(repository, 'HEAD~50') };
/** Fresh profiles. */
const PROFILES = 3;
const here = (name) => join(import.meta.dirname, name);

/** Bundled as a page's developer would. Streams are not used. */
async function bundle(outfile) {
  await build({
    entryPoints: [here('page.mjs')],
    outfile,
    bundle: true,
    format: 'esm',
    inject: [here('buffer.mjs')],
    define: { global: 'globalThis' },
    alias: {
      'node:buffer': 'buffer',
      'node:events': 'events',
      'node:path': 'path-browserify',
      'node:stream': here('streams.mjs'),
      stream: here('streams.mjs'),
    },
  });
}

/** A bundle of a clone, which says what the server has: otherwise all history waits for a push. */
function bundleClone(outfile) {
  const clone = mkdtempSync(join(folder, 'clone-'));
  execFileSync('git', ['clone', '--quiet', '--bare', repository, clone]);
  execFileSync('git', ['-C', clone, 'update-ref', 'refs/remotes/origin/main', 'main']);
  execFileSync('git', ['-C', clone, 'bundle', 'create', '--quiet', outfile, '--all']);
  rmSync(clone, { recursive: true });
}

const bundled = join(folder, 'repository.bundle');
bundleClone(bundled);
await bundle(join(folder, 'page.mjs'));
const files = {
  '/page.mjs': join(folder, 'page.mjs'),
  '/repository.bundle': bundled,
  '/lg2.js': here('node_modules/wasm-git/lg2.js'),
  '/lg2.wasm': here('node_modules/wasm-git/lg2.wasm'),
};
const withPage = await profiles(web, chromium, folder);
const served = await serve(join(web, 'sdk/dist'), files, repository);
const firsts = [];
for (let round = 0; round < PROFILES; round++) {
  firsts.push(
    await withPage(async (page) => {
      await page.goto(`${served.at}/first`);
      const answered = await page.waitForFunction(() => globalThis.answered);
      return answered.jsonValue();
    }),
  );
}
const measured = await withPage(async (page) => {
  await page.goto(served.at);
  await page.waitForFunction(() => globalThis.bench);
  const measure = (what) => page.evaluate(([what, input]) => globalThis.bench[what](input), [what, input]);
  return { ...(await measure('gitgate')), isomorphic: await measure('isomorphic'), wasm: await measure('wasm') };
});
served.close();
console.log(JSON.stringify({ ...measured, first: middle(firsts) }));
