// The data of the workspace screens.

import { computed, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';
import type { Json, Sandbox } from 'gitgate';

import { inside, list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { readLog } from './log.js';
import { tell } from './meta.js';
import { changed, mine, need, sandbox } from './session.js';

export interface Entry {
  path: string;
  isFolder: boolean;
  size: number;
  isLink: boolean;
  /** For a link: its target, as written. */
  target: string;
}

export const entries = signal<Entry[] | undefined>(undefined);
/** Whether there are files beyond the listed ones. */
export const isListCut = signal(false);
const status = signal<Row>({});
export const unstaged = computed(() => rows(status.value.unstaged));
export const staged = computed(() => rows(status.value.staged));
export const branch = computed(() => text(status.value.branch));
export const commits = signal<Row[] | undefined>(undefined);
export const history = signal<Row[] | undefined>(undefined);
export const audit = signal<Json[] | undefined>(undefined);

/** Shows the sandbox's answer. After the person left it, neither the answer nor an error appears. */
async function shown<T>(load: () => Promise<T>, show: (found: T) => void): Promise<void> {
  const one = need();
  try {
    const found = await load();
    if (sandbox.value === one) show(found);
  } catch (error) {
    if (sandbox.value === one) throw error;
  }
}

function showFiles({ structured }: Awaited<ReturnType<Sandbox['files']>>): void {
  const all = structured.entries.map(({ path, kind, size = 0, target = '' }) => ({
    path: inside(path),
    isFolder: kind === 'folder',
    size,
    isLink: kind === 'link',
    target,
  }));
  entries.value = all;
  isListCut.value = structured.truncated;
  const files = all.filter(({ isFolder }) => !isFolder);
  tell(need().name, { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) });
}

async function read(): Promise<void> {
  await shown(() => need().files(), showFiles);
  if (sandbox.value)
    await shown(
      () => need().status(),
      ({ structured }) => (status.value = row(structured)),
    );
}

const STEP = 300;
const CALLS = 200;
let reading: Promise<void> | undefined;
let isStale = false;

/** Reloads after a change. A request during a load waits for that load. */
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
  mostCalls.value = CALLS;
  history.value = undefined;
  audit.value = undefined;
}

/** The most commits to ask for. */
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
    () => need().history(mostCalls.value),
    ({ structured }) => {
      history.value = rows(row(structured).calls);
      hasOlderCalls.value = row(structured).truncated === true;
    },
  );

/** The most calls to ask for. */
const mostCalls = signal(CALLS);
export const hasOlderCalls = signal(false);

export async function loadOlderCalls(): Promise<void> {
  mostCalls.value += CALLS;
  await loadHistory();
}

export const loadAudit = (): Promise<void> =>
  shown(
    () => need().decisions(),
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
    if (next <= offset) return { path, text: content, isBinary: false, isCut: part.truncated === true };
    if (content.length > MOST) return { path, text: content, isBinary: false, isCut: true };
    offset = next;
  }
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
