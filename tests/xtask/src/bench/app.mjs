// What the built page takes in Chromium: until it can be used, and with the review of a large diff.
// node app.mjs WEB-DEMO CHROMIUM FOLDER prints milliseconds, and a share of frames, as JSON.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { middle } from './operations.mjs';
import { profiles } from './profile.mjs';
import { begins, reviewed, scrolled, watching } from './seen.mjs';

const [web, chromium, folder] = process.argv.slice(2);
/** Fresh profiles. In each, everything happens for the first time, as a person has it. */
const PROFILES = 3;
/** Each is deleted, and another one added: as many lines of a diff again. */
const LINES = 10_000;

/** A bundle with one long file. */
function bundle(file) {
  const source = mkdtempSync(join(folder, 'source-'));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args) => execFileSync('git', [...who, ...args], { cwd: source, env });
  git('init', '--quiet', '--initial-branch=main');
  const line = (at) => `  const value${at} = measured.get(${at % 97}) ?? fallback('old', ${at}); // row ${at}\n`;
  writeFileSync(join(source, 'long.ts'), Array.from({ length: LINES }, (_, at) => line(at)).join(''));
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  git('bundle', 'create', '--quiet', file, 'HEAD', 'main');
  rmSync(source, { recursive: true });
}

async function serve() {
  const child = spawn(process.execPath, [join(web, 'app/scripts/serve.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) return { at: line.trim(), close: () => child.kill() };
  }
  throw new Error('the page is not served');
}

/** Makes a sandbox of the bundle, in which each line of the file is staged anew. */
async function change(page, at, file) {
  await page.goto(`${at}#/`);
  await page.getByRole('group', { name: 'Start from' }).getByRole('button', { name: 'Bundle' }).click();
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(file);
  await page.getByLabel('Name', { exact: true }).fill('long');
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('tree').waitFor();
  const tab = (name) => page.getByRole('navigation', { name: 'Sandbox' }).getByRole('link', { name }).click();
  await tab('Agent');
  const calls = [
    ['edit_file', { path: 'long.ts', old: 'old', new: 'new', all: true }],
    ['git_stage', { files: ['long.ts'], message: 'Fall back on the new' }],
  ];
  const script = calls.map(([tool, args]) => `${tool} ${JSON.stringify(args)}`).join('\n');
  await page.getByRole('textbox', { name: "The agent's calls" }).fill(script);
  await page.getByText('Next: line 1').waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.getByText('All calls have been made').waitFor();
  await tab('Commits');
  await page.getByText('1 staged').waitFor();
  // Whoever reviews it has seen that it is there.
  await page.waitForFunction(() => document.querySelector('.code')?.shadowRoot?.querySelector('.gg-new'));
}

mkdirSync(folder, { recursive: true });
const file = join(folder, 'long.bundle');
bundle(file);
const withPage = await profiles(web, chromium, folder);
const served = await serve();

const fresh = () =>
  withPage(async (page) => {
    await page.addInitScript(watching);
    await page.addInitScript(begins);
    await page.goto(served.at);
    const times = await (await page.waitForFunction(() => globalThis.times)).jsonValue();
    await change(page, served.at, file);
    return { ...times, review: await page.evaluate(reviewed), ...(await page.evaluate(scrolled)) };
  });

/** Once more where Chromium has painted no more: that says nothing of the page. */
const twice = () =>
  fresh().catch((error) => {
    if (!/no frame/.test(String(error))) throw error;
    return fresh();
  });

const rounds = [];
try {
  for (let round = 0; round < PROFILES; round++) rounds.push(await twice());
} finally {
  served.close();
}
const all = (name) => rounds.map((round) => round[name]);
const frames = all('frames').flat();
const over = frames.filter((frame) => frame > 50).length;
const [usable, opened, review] = ['usable', 'opened', 'review'].map((name) => middle(all(name)));
console.log(JSON.stringify({ usable, opened, review, longest: Math.max(...frames), over: over / frames.length }));
