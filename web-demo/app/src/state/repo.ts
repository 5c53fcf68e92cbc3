// What the screens of the workspace show.

import { computed, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { Json } from 'gitgate';

import { parsePatch } from '../parts/diff/patch.js';
import type { FilePatch } from '../parts/diff/patch.js';
import { inside, list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
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
  tell(need().name, { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) });
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
    return rows(row(await mine('git_log', { max_count: most.value, max_bytes: MOST_TEXT })).commits);
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
export const MOST_TEXT = 5_000_000;

async function diffText(args: { commit?: string }): Promise<string> {
  const max_bytes = MOST_TEXT;
  const asked = args.commit
    ? need().call('git_show', { commit: args.commit, max_bytes }, { as: 'user' })
    : need().call('git_diff', { from_ref: 'HEAD', max_bytes }, { as: 'user' });
  const reply = await asked;
  if (reply.outcome === 'done') return reply.text;
  // There is nothing to compare with before the first commit.
  if (!args.commit && commits.value?.length === 0) return '';
  throw new GitgateError(
    'kind' in reply ? reply.kind : 'not-approved',
    'message' in reply ? reply.message : reply.reason,
    reply.hint,
  );
}

export const commitDiff = async (commit: string): Promise<FilePatch[]> => parsePatch(await diffText({ commit }));

/** What differs from the last commit. Of a new file, all of it. */
export async function workingDiff(): Promise<FilePatch[]> {
  await loadCommits();
  const found = parsePatch(await diffText({}));
  for (const one of unstaged.value.filter((entry) => entry.status === 'new').slice(0, 200)) {
    const path = inside(text(one.path));
    if (found.some((patch) => patch.path === path)) continue;
    const { text: content, isBinary } = await readFile(path);
    const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
    const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
    const head = isBinary ? 'Binary file\n' : '';
    found.push({
      path,
      status: 'A',
      escaped: undefined,
      head,
      hunks: isBinary || lines.length === 0 ? [] : [hunk],
      added: lines.length,
      deleted: 0,
    });
  }
  return found;
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
