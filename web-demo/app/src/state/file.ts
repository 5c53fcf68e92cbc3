// Opens a file, and saves it unless it changed meanwhile.

import { computed } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { draft, unsaved } from './drafts.js';
import { entries, readFile } from './repo.js';
import type { Entry, FileText } from './repo.js';
import { changed, mine, need, sandbox } from './session.js';
import { problem } from './toast.js';
import type { Problem } from './toast.js';

const folders = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
};

/** The files of the sandbox, and deleted files with a draft. */
export const listed = computed<Entry[] | undefined>(() => {
  const all = entries.value;
  const drafts = unsaved(sandbox.value?.name ?? '');
  if (!all || drafts.length === 0) return all;
  const there = new Set(all.map(({ path }) => path));
  const missing = (paths: string[]): string[] => [...new Set(paths)].filter((path) => !there.has(path));
  const entry = (path: string, isFolder: boolean): Entry => ({ path, isFolder, size: 0, isLink: false, target: '' });
  const gone = missing(drafts);
  return [
    ...all,
    ...missing(gone.flatMap(folders)).map((path) => entry(path, true)),
    ...gone.map((path) => entry(path, false)),
  ];
});

export interface OpenedFile extends FileText {
  /** Why the file cannot be read although it has a draft. */
  wrong?: Problem;
}

export async function openFile(path: string): Promise<OpenedFile> {
  const { name } = need();
  try {
    return await readFile(path);
  } catch (error) {
    // Show the draft, whatever happened to the file.
    if (!draft(name, path)) throw error;
    return { path, text: '', isBinary: false, isCut: false, wrong: problem(error) };
  }
}

/** Whether the file has exactly this text. Without a text: whether there is no file. */
async function has(path: string, text: string | undefined): Promise<boolean> {
  try {
    const found = await readFile(path);
    return !found.isBinary && !found.isCut && found.text === text;
  } catch (error) {
    if (error instanceof GitgateError && error.kind === 'not-found') return text === undefined;
    throw error;
  }
}

/**
 * Writes the file if it still is as the person knows it; `undefined` means a new one. Returns whether it
 * did. An agent may change the file between the check and the call, so the call names the text it replaces.
 * Only an empty or a missing file cannot be named.
 */
export async function saveFile(path: string, content: string, known: string | undefined): Promise<boolean> {
  const one = need();
  const isKnown = await has(path, known);
  if (sandbox.value !== one) {
    throw new GitgateError('interrupted', `${path} is not saved: its sandbox was left`, 'open it again, and save');
  }
  try {
    if (isKnown && known) await mine('edit_file', { path, old: known, new: content }, true);
    else if (isKnown) await mine('write_file', { path, content }, true);
  } catch (error) {
    if (await has(path, known)) throw error;
    changed.value += 1;
    return false;
  }
  // The person must see the file's new state.
  if (!isKnown) changed.value += 1;
  return isKnown;
}
