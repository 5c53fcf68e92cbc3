// What gitgate, isomorphic-git and wasm-git take in a page of Chromium.
// node pages.mjs WEB-DEMO CHROMIUM REPOSITORY FOLDER reads the calls as JSON, and prints medians in milliseconds as JSON.
// FOLDER is on a disk: Chromium's profiles are there, and so is what a sandbox keeps.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';

import { middle } from './operations.mjs';
import { resolve } from './repository.mjs';
import { serve } from './served.mjs';

const [web, chromium, repository, folder] = process.argv.slice(2);
const input = { ...JSON.parse(readFileSync(0, 'utf8')), otherAt: resolve(repository, 'HEAD~50') };
const playwright = createRequire(join(web, 'package.json')).resolve('playwright-core');
const { default: { chromium: browsers } } = await import(pathToFileURL(playwright).href);
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
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

/** Does something with a page of a fresh profile. */
async function withPage(url, work) {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const context = await browsers.launchPersistentContext(profile, {
    executablePath: chromium,
    headless: true,
    args: [...ARGS, ...QUIET],
  });
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(String(error)));
    await page.goto(url);
    return await work(page);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
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
const served = await serve(join(web, 'sdk/dist'), files, repository);
const firsts = [];
for (let round = 0; round < PROFILES; round++) {
  const answered = (page) => page.waitForFunction(() => globalThis.answered).then((handle) => handle.jsonValue());
  firsts.push(await withPage(`${served.at}/first`, answered));
}
const measured = await withPage(served.at, async (page) => {
  await page.waitForFunction(() => globalThis.bench);
  const measure = (what) => page.evaluate(([what, input]) => globalThis.bench[what](input), [what, input]);
  return { ...(await measure('gitgate')), isomorphic: await measure('isomorphic'), wasm: await measure('wasm') };
});
served.close();
console.log(JSON.stringify({ ...measured, first: middle(firsts) }));
