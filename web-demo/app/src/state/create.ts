// Creates sandboxes.

import { signal } from '@preact/signals';
import { GitgateError, persist } from 'gitgate';

import { link } from './route.js';
import { drop, mine, open, sandbox } from './session.js';
import type { Begin } from './session.js';
import { attempt } from './toast.js';

export interface Dropped {
  path: string;
  file: File;
}

/** The progress of a folder's import, and its cancellation. */
export const importing = signal<{ done: number; all: number; off: AbortController } | undefined>(undefined);

export async function create(name: string, begin: Begin): Promise<void> {
  await open(name, begin);
  // A sandbox on a server does not need this browser's storage.
  if (!begin.server) attempt(async () => void (await persist()));
  location.hash = link(name);
}

async function content(file: File): Promise<{ content: string; encoding?: 'base64' }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // It is not text, so send its bytes.
    let binary = '';
    for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return { content: btoa(binary), encoding: 'base64' };
  }
}

export async function createFromFolder(name: string, files: Dropped[]): Promise<void> {
  const wanted = files.filter(({ path }) => !path.split('/').includes('.git'));
  if (wanted.length === 0) throw new GitgateError('usage', 'the folder has no files', 'drop a folder with files');
  const one = await open(name, { origin: `folder, ${wanted.length} files` });
  const off = new AbortController();
  const goOn = (): void => {
    // The files are not for another sandbox that the person opened meanwhile.
    if (off.signal.aborted || sandbox.value !== one) throw new GitgateError('interrupted', 'the import was called off');
  };
  try {
    for (const [done, { path, file }] of wanted.entries()) {
      importing.value = { done, all: wanted.length, off };
      const args = { path, ...(await content(file)) };
      goOn();
      await mine('write_file', args);
    }
    goOn();
    const top = [...new Set(wanted.map(({ path }) => path.split('/')[0] ?? path))];
    await mine('git_stage', { files: top, message: 'Import a folder' }, true);
    goOn();
  } catch (error) {
    await drop(one);
    throw error;
  } finally {
    importing.value = undefined;
  }
  location.hash = link(name);
}

// Not every browser has these classes as globals.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function walk(entry: FileSystemEntry, prefix: string, into: Dropped[]): Promise<void> {
  if (entry.name === '.git') return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    into.push({ path: prefix + entry.name, file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    // A reader returns a hundred entries at a time, and finally none.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await walk(one, `${prefix}${entry.name}/`, into);
    }
  }
}

/** The files of a dropped folder, without the folder's own name. */
export async function dropped(items: DataTransferItemList): Promise<{ name: string; files: Dropped[] }> {
  const roots = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: Dropped[] = [];
  for (const root of roots) await walk(root, '', files);
  const [only] = roots;
  const name = roots.length === 1 && only ? only.name : 'dropped';
  const prefix = only?.isDirectory && roots.length === 1 ? `${only.name}/` : '';
  return { name, files: files.map(({ path, file }) => ({ path: path.slice(prefix.length), file })) };
}
