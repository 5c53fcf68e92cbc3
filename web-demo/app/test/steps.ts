// Common steps of the tests, as a person performs them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import type { Download, Page } from 'playwright-core';

export async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gitgate-app-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

export interface Content {
  path: string;
  content: string;
}

/** A bundle with one commit. Its paths may be invalid on any file system. */
export async function bundleOf(
  folder: string,
  files: Content[],
  commit: { author: string; message: string },
): Promise<string> {
  const repository = join(folder, 'source');
  git(folder, 'init', '--quiet', '--initial-branch=main', repository);
  const quoted = (path: string): string =>
    `"${[...Buffer.from(path)].map((byte) => (byte < 32 || byte > 126 || byte === 34 || byte === 92 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte))).join('')}"`;
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const lines = files.map(({ path, content }) => `M 100644 inline ${quoted(path)}\n${data(content)}`);
  const who = `${commit.author} <ada@example.org> 1795600000 +0000`;
  const stream = `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(commit.message)}${lines.join('')}done\n`;
  await writeFile(join(folder, 'stream'), stream);
  execFileSync('sh', ['-c', 'git fast-import --quiet --done < ../stream'], { cwd: repository, stdio: 'pipe' });
  const bundle = join(folder, 'project.bundle');
  git(repository, 'bundle', 'create', '--quiet', bundle, 'HEAD', 'main');
  return bundle;
}

export const kind = (page: Page, name: string): Promise<void> =>
  page.getByRole('group', { name: 'Start from' }).getByRole('button', { name }).click();

/** Creates a sandbox from the filled form, or an empty one. */
export async function make(page: Page, name?: string): Promise<void> {
  await page.getByRole('group', { name: 'Start from' }).waitFor();
  if (!(await page.getByLabel('Name', { exact: true }).isVisible())) await kind(page, 'Empty');
  if (name !== undefined) await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create sandbox' }).click();
  await page.getByRole('navigation', { name: 'Sandbox' }).waitFor();
  await page.locator('.empty, [role=tree]').first().waitFor();
}

export async function makeFromBundle(page: Page, file: string, name: string): Promise<void> {
  await kind(page, 'Bundle');
  await page.getByLabel('Bundle', { exact: false }).last().setInputFiles(file);
  await make(page, name);
  await page.getByRole('tree').waitFor();
}

/**
 * Creates a sandbox of `ada/project` at the fake GitHub, whose API is at `base`. Pushes go to `pushTo`, if it is not
 * empty.
 */
export async function makeFromHub(page: Page, base: string, name: string, pushTo = 'main'): Promise<void> {
  await kind(page, 'GitHub');
  await page.getByLabel('Repository').fill('ada/project');
  await page.getByLabel('Token', { exact: false }).first().fill('hunter2');
  await page.getByLabel('Pushes go to').fill(pushTo);
  await page.getByText('Advanced').click();
  await page.getByLabel('API address').fill(base);
  await make(page, name);
  await page.getByRole('treeitem', { name: 'README.md' }).waitFor();
}

/** The tab keeps the token across a reload, as with a ticked checkbox. */
export const keepToken = (page: Page, name: string): Promise<void> =>
  page.evaluate((name) => sessionStorage.setItem(`gitgate.token:${name}`, 'hunter2'), name);

/** The same, with a token that the tab keeps. */
export async function keptFromHub(page: Page, base: string, name: string): Promise<Page> {
  await makeFromHub(page, base, name);
  await keepToken(page, name);
  return page;
}

/** Waits until the tab has this title. */
export const titled = (page: Page, title: string): Promise<unknown> =>
  page.waitForFunction((title) => document.title === title, title);

/** Waits until this many questions wait. */
export const badge = (page: Page, count: number): Promise<void> =>
  page.locator('.waiting .count', { hasText: String(count) }).waitFor();

export const noBadge = (page: Page): Promise<void> => page.locator('.waiting').waitFor({ state: 'detached' });

export const call = (tool: string, args: object = {}): string => `${tool} ${JSON.stringify(args)}`;
export const write = (path: string, content: string): string => call('write_file', { path, content });
export const stage = (message: string, ...files: string[]): string => call('git_stage', { files, message });
export const push = call('git_push', { commitId: 'HEAD' });
export const handOver = 'hand_over {}';

export async function go(page: Page, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sandbox' }).getByRole('link', { name: tab }).click();
}

/** Puts calls into the agent's script, and runs them. */
export async function play(page: Page, ...calls: string[]): Promise<void> {
  await go(page, 'Agent');
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('textbox', { name: "The agent's calls" }).fill(calls.join('\n'));
  await page.getByText('Next: line 1').waitFor();
  await page.getByRole('button', { name: 'Run all' }).click();
}

export const played = (page: Page): Promise<void> => page.getByText('All calls have been made').waitFor();

/** The latest result, as the agent reads it. */
export async function said(page: Page): Promise<string> {
  await page.locator('.step:last-of-type:not(.running) pre').waitFor();
  return page.locator('.step:last-of-type pre').innerText();
}

export async function review(page: Page): Promise<void> {
  await page.getByText('It waits for your answer').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.locator('.verdict').waitFor();
}

/** Opens all files of the review. */
export async function openAll(page: Page): Promise<void> {
  await page.locator('.verdict').waitFor();
  const count = await page.locator('[data-file]').count();
  for (let at = 1; at < count; at += 1) await page.keyboard.press('k');
  for (let at = 1; at < count; at += 1) {
    await page.keyboard.press('j');
    // A file that was not on the screen was not opened.
    await page.locator(`[data-file="${at}"][aria-selected=true]`).waitFor({ state: 'attached' });
  }
}

export async function approve(page: Page): Promise<void> {
  await openAll(page);
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: /protected/ });
  await dialog.or(page.locator('.outcome')).first().waitFor();
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Approve' }).click();
}

export async function kept(download: Promise<Download>, file: string): Promise<string> {
  await (await download).saveAs(file);
  return file;
}

/** Describes the focused element: its name, and its place. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let now = document.activeElement;
    while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
    if (!now || now === document.body) return '';
    const label = now.getAttribute('aria-label') ?? now.closest('label')?.textContent ?? now.textContent ?? '';
    return label.trim();
  });

/** Presses Tab until an element of this name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (name.test(now)) return;
    seen.push(now);
  }
  assert.fail(`Tab does not lead to ${name}: ${seen.join(' | ')}`);
}
