// What the screens of the workspace show.

import { computed, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { Json } from 'gitgate';

import { paired } from '../parts/diff/paired.js';
import { parsePatch } from '../parts/diff/patch.js';
import type { FilePatch } from '../parts/diff/patch.js';
import { inside, list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { parentsOf, readLog } from './log.js';
import { tell } from './meta.js';
import { changed, mine, need, sandbox } from './session.js';

export interface Entry {
  path: string;
  isFolder: boolean;
  size: number;
  isLink: boolean;
  /** Of a link: where it leads, as it is written in it. */
  target: string;
}

export const entries = signal<Entry[] | undefined>(undefined);
const status = signal<Row>({});
export const unstaged = computed(() => rows(status.value.unstaged));
export const staged = computed(() => rows(status.value.staged));
export const branch = computed(() => text(status.value.branch));
export const commits = signal<Row[] | undefined>(undefined);
export const history = signal<Row[] | undefined>(undefined);
export const audit = signal<string | undefined>(undefined);

/** Shows what the sandbox answers. Whoever has left it sees neither that, nor what goes wrong then. */
async function shown<T>(load: () => Promise<T>, show: (found: T) => void): Promise<void> {
  const one = need();
  try {
    const found = await load();
    if (sandbox.value === one) show(found);
  } catch (error) {
    if (sandbox.value === one) throw error;
  }
}

function showFiles(found: Json): void {
  const all = rows(row(found).entries).map((entry) => ({
    path: inside(text(entry.path)),
    isFolder: entry.kind === 'folder',
    size: number(entry.size),
    isLink: entry.kind === 'link',
    target: text(entry.target),
  }));
  entries.value = all;
  const files = all.filter(({ isFolder }) => !isFolder);
  tell(need().name, {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  });
}

async function read(): Promise<void> {
  await shown(() => mine('list_files', { recursive: true, limit: 200_000 }), showFiles);
  if (sandbox.value)
    await shown(
      () => mine('git_status', {}),
      (found) => (status.value = row(found)),
    );
}

const STEP = 300;
let reading: Promise<void> | undefined;
let isStale = false;

/** Reads anew what has changed. Who asks while it reads waits for what is read then. */
export function refresh(): Promise<void> {
  isStale = true;
  reading ??= (async () => {
    try {
      while (isStale && sandbox.value) {
        isStale = false;
        await read();
      }
    } finally {
      reading = undefined;
    }
  })();
  return reading;
}

/** Another sandbox has other files. */
export function forget(): void {
  entries.value = undefined;
  status.value = {};
  commits.value = undefined;
  most.value = STEP;
  history.value = undefined;
  audit.value = undefined;
}

/** How many commits are asked for at most. */
export const most = signal(STEP);

export async function loadOlder(): Promise<void> {
  most.value += STEP;
  await loadCommits();
}

async function log(): Promise<Row[]> {
  try {
    return await readLog(most.value);
  } catch (error) {
    // A repository without a commit has no log.
    if (!(error instanceof GitgateError) || staged.value.length > 0 || error.kind !== 'not-found') throw error;
    return [];
  }
}

export const loadCommits = (): Promise<void> => shown(log, (found) => (commits.value = found));
export const loadHistory = (): Promise<void> =>
  shown(
    () => need().history(200),
    ({ structured }) => (history.value = rows(row(structured).calls)),
  );
export const loadAudit = (): Promise<void> =>
  shown(
    () => need().audit(),
    (found) => (audit.value = found),
  );

export interface FileText {
  path: string;
  text: string;
  isBinary: boolean;
  isCut: boolean;
}

const MOST = 4 << 20;

export async function readFile(path: string): Promise<FileText> {
  let content = '';
  for (let offset = 1; ;) {
    const part = row(await mine('read_file', { path, offset }));
    if (part.encoding === 'base64') return { path, text: '', isBinary: true, isCut: false };
    content += text(part.content);
    const next = number(part.nextOffset);
    if (part.truncated !== true || next <= offset) return { path, text: content, isBinary: false, isCut: false };
    if (content.length > MOST) return { path, text: content, isBinary: false, isCut: true };
    offset = next;
  }
}

/** As much as a tool gives at once. */
const MOST_TEXT = 5_000_000;

/** Of a merge: what it changes in its first parent. Without a commit: what differs from HEAD. */
async function diffText(commit?: string, parents: string[] = []): Promise<string> {
  const max_bytes = MOST_TEXT;
  const [from_ref = ''] = parents;
  const asked =
    commit === undefined
      ? need().call('git_diff', { from_ref: 'HEAD', max_bytes }, { as: 'user' })
      : parents.length > 1
        ? need().call('git_diff', { from_ref, to_ref: commit, max_bytes }, { as: 'user' })
        : need().call('git_show', { commit, max_bytes }, { as: 'user' });
  const reply = await asked;
  if (reply.outcome === 'done') return reply.text;
  // There is nothing to compare with before the first commit.
  if (commit === undefined && commits.value?.length === 0) return '';
  throw new GitgateError(
    'kind' in reply ? reply.kind : 'not-approved',
    'message' in reply ? reply.message : reply.reason,
    reply.hint,
  );
}

export const commitDiff = async (commit: Row): Promise<FilePatch[]> =>
  parsePatch(await diffText(text(commit.commitId), parentsOf(commit)));

/** What differs from the last commit. Of a new file, all of it. */
/** More new files than these are not read: the tool gives one at a time. */
const MOST_NEW = 500;

/** A file that the tool knows nothing of. Of one that is not read: why. */
async function newFile(path: string, isRead: boolean): Promise<FilePatch> {
  const none = { path, status: 'A', escaped: undefined, hunks: [], added: 0, deleted: 0 };
  if (!isRead) return { ...none, head: 'Too many new files to show all of them here. Open this one in Files.\n' };
  const { text: content, isBinary } = await readFile(path);
  if (isBinary) return { ...none, head: 'Binary file\n' };
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  if (lines.length === 0) return { ...none, head: '' };
  const end = content.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}${end}`;
  return { ...none, head: '', hunks: [hunk], added: lines.length };
}

/** What differs from the last commit. Of a new file, all of it. */
export async function workingDiff(): Promise<FilePatch[]> {
  await loadCommits();
  const found = parsePatch(await diffText());
  const known = new Set(found.map(({ path }) => path));
  const fresh = unstaged.value.filter((one) => one.status === 'new').map((one) => inside(text(one.path)));
  const missing = fresh.filter((path) => !known.has(path));
  for (const [at, path] of missing.entries()) found.push(await newFile(path, at < MOST_NEW));
  return paired(found);
}

export async function stage(files: string[], message: string): Promise<void> {
  await mine('git_stage', { files, message }, true);
  await refresh();
}

export async function undo(steps: number): Promise<void> {
  await need().undo(steps);
  changed.value += 1;
  await Promise.all([refresh(), loadHistory()]);
}

export async function discard(commitId: string): Promise<void> {
  await mine('git_discard', { commitId }, true);
  await Promise.all([refresh(), loadCommits()]);
}

export async function pull(): Promise<string[]> {
  const done = row(await mine('git_pull', {}, true));
  await refresh();
  return list(done.conflicts).map((one) => inside(typeof one === 'string' ? one : text(row(one).path)));
}

export async function blame(path: string): Promise<Row> {
  return row(await mine('git_blame', { path, max_bytes: MOST_TEXT }));
}
