// Sandboxes in the origin private file system. Each has a folder in `gitgate`, named by the hash of its
// name, because a name can be longer than a file system allows, or differ only in case. The file `name` in
// it contains the name. A folder without it is left from an interrupted copy or removal.

import { GitgateError } from '../error.js';
import type { SyncFile } from './file.js';
import { Keeping } from './keeping.js';
import type { Pair } from './log.js';
import { isLocked, isNotFound, newPatience, openFile, root, storageError } from './opfs-file.js';
import type { OpfsFile, Patience } from './opfs-file.js';
import type { Kept } from './types.js';

const NAME = 'name';
const SLOT = /^slot\.(\d+)$/;
const LONGEST = 100;
/** The initial number of slots of a sandbox. */
const SLOTS = 4;
const PART = 1 << 20;

function isName(name: string): boolean {
  const { length } = [...name];
  return length > 0 && length <= LONGEST && !/\p{Surrogate}/u.test(name);
}

/** The name of a sandbox's folder. */
async function folderName(name: string): Promise<string> {
  if (!isName(name)) {
    throw new GitgateError('usage', `a name has 1 to ${LONGEST} characters`, 'choose another name');
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)));
  return [...hash.subarray(0, 20)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The folder of a sandbox, if it exists. */
async function folderOf(name: string): Promise<FileSystemDirectoryHandle | undefined> {
  return (await root()).getDirectoryHandle(await folderName(name)).catch(unlessNotFound);
}

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw storageError('open the folder', error);
  return undefined;
}

/** The name of a folder's sandbox, if it has one. The sandbox may be open elsewhere. */
async function nameIn(folder: FileSystemDirectoryHandle): Promise<string | undefined> {
  const read = async () => (await (await folder.getFileHandle(NAME)).getFile()).text();
  const name = await read().catch(unlessNotFound);
  // A name that is being written is incomplete.
  return name && isName(name) && (await folderName(name)) === folder.name ? name : undefined;
}

async function entries(folder: FileSystemDirectoryHandle): Promise<FileSystemHandle[]> {
  const all: FileSystemHandle[] = [];
  try {
    for await (const entry of folder.values()) all.push(entry);
  } catch (error) {
    throw storageError('list the files', error);
  }
  return all;
}

async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  return (await entries(folder)).map((entry) => entry.name);
}

function noSuch(name: string): GitgateError {
  return new GitgateError('no-such-sandbox', `there is no sandbox '${name}'`, 'list the sandboxes there are');
}

/** Opens all files, or none. */
async function openAll(opening: Promise<OpfsFile>[]): Promise<OpfsFile[]> {
  const settled = await Promise.allSettled(opening);
  const open = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.find((one) => one.status === 'rejected');
  if (!failed) return open;
  for (const file of open) file.close();
  throw failed.reason;
}

/** Claims a folder: its owner has the file `name` open. */
interface Owned {
  folder: FileSystemDirectoryHandle;
  guard: OpfsFile;
  patience: Patience;
  isNew: boolean;
}

/** Claims the folder of a sandbox, and creates it if it does not exist. */
async function own(name: string): Promise<Owned> {
  const patience = newPatience(name);
  const folder = await (await root())
    .getDirectoryHandle(await folderName(name), { create: true })
    .catch((error: unknown) => Promise.reject(storageError('make the folder', error)));
  const guard = await openFile(folder, NAME, patience);
  try {
    const isNew = (await nameIn(folder)) !== name;
    if (isNew) {
      const rest = (await namesIn(folder)).filter((file) => file !== NAME);
      await Promise.all(rest.map((file) => patience(`remove ${file}`, () => folder.removeEntry(file))));
    }
    return { folder, guard, patience, isNew };
  } catch (error) {
    guard.close();
    throw error;
  }
}

/** From here on, a sandbox of that name exists. */
function give(name: string, guard: SyncFile): void {
  guard.truncate(0);
  guard.write(new TextEncoder().encode(name), 0);
  guard.flush();
}

/**
 * Opens the storage of a sandbox, and creates it if it does not exist. Only a dedicated Worker can. If
 * another one has it open, throws `busy` after some seconds: the files of a terminated Worker stay locked
 * for a while.
 */
export async function openOpfs(name: string): Promise<Kept> {
  const { folder, guard, patience, isNew } = await own(name);
  try {
    if (isNew) give(name, guard);
    return await openIn(folder, patience, guard);
  } catch (error) {
    guard.close();
    throw error;
  }
}

async function openIn(folder: FileSystemDirectoryHandle, patience: Patience, guard: SyncFile): Promise<Kept> {
  const numbers = (await namesIn(folder)).flatMap((name) => SLOT.exec(name)?.slice(1).map(Number) ?? []);
  const first = Array.from({ length: SLOTS }, (_, at) => at);
  const slots = [...new Set([...first, ...numbers])];
  let last = Math.max(...slots);
  const more = (): Promise<OpfsFile> => openFile(folder, `slot.${(last += 1)}`, patience);
  const pairs = ['journal', 'audit.log', 'records'].flatMap((log) => [`${log}.a`, `${log}.b`]);
  const names = [...pairs, ...slots.map((slot) => `slot.${slot}`)];
  const files = await openAll(names.map((file) => openFile(folder, file, patience)));
  const pair = (at: number): Pair => {
    const [a, b] = files.slice(at, at + 2);
    if (a && b) return [a, b];
    throw new RangeError(`there is no pair at ${at}`);
  };
  const parts = { journal: pair(0), audit: pair(2), records: pair(4), slots: files.slice(6), more };
  let kept: Kept | undefined;
  try {
    kept = new Keeping(parts, () => guard.close());
    await kept.ready();
    return kept;
  } catch (error) {
    kept?.close();
    for (const file of files) file.close();
    throw error;
  }
}

async function folders(): Promise<FileSystemDirectoryHandle[]> {
  return (await entries(await root())).filter((entry) => entry instanceof FileSystemDirectoryHandle);
}

/** The names of all sandboxes, sorted. */
export async function listOpfs(): Promise<string[]> {
  const names = await Promise.all((await folders()).map(nameIn));
  return names.flatMap((name) => name ?? []).sort();
}

/** Removes a sandbox that nobody has open, and the remains of interrupted copies and removals. */
export async function removeOpfs(name: string): Promise<void> {
  const folder = await folderOf(name);
  if (!folder || (await nameIn(folder)) !== name) throw noSuch(name);
  const patience = newPatience(name);
  // From here on it is no sandbox any more. This fails if somebody has it open.
  await patience(`remove '${name}'`, () => folder.removeEntry(NAME));
  const all = await root();
  await patience(`remove '${name}'`, () => all.removeEntry(folder.name, { recursive: true }));
  for (const other of await folders()) {
    if ((await nameIn(other)) === undefined) await removeLeft(all, other);
  }
}

/** Removes a folder without a name, unless somebody is creating a sandbox in it. */
async function removeLeft(all: FileSystemDirectoryHandle, folder: FileSystemDirectoryHandle): Promise<void> {
  try {
    await folder.removeEntry(NAME).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    await all.removeEntry(folder.name, { recursive: true });
  } catch (error) {
    if (!isLocked(error)) throw storageError('remove what was left', error);
  }
}

/** Copies a sandbox that nobody has open. The copy is complete, or does not exist. */
export async function copyOpfs(from: string, to: string): Promise<void> {
  const there = await folderOf(from);
  if (!there || (await nameIn(there)) !== from) throw noSuch(from);
  const source = await own(from);
  try {
    if (source.isNew) throw noSuch(from);
    const target = await own(to);
    try {
      if (!target.isNew) {
        throw new GitgateError('sandbox-exists', `there is a sandbox '${to}'`, 'choose another name');
      }
      for (const name of await namesIn(source.folder)) if (name !== NAME) await copyFile(name, source, target);
      give(to, target.guard);
    } catch (error) {
      target.guard.close();
      // After a failure, the folder stays without a name.
      if (target.isNew) await removeLeft(await root(), target.folder);
      throw error;
    }
    target.guard.close();
  } finally {
    source.guard.close();
  }
}

async function copyFile(name: string, source: Owned, target: Owned): Promise<void> {
  const from = await openFile(source.folder, name, source.patience);
  try {
    if (from.size() === 0) return;
    const to = await openFile(target.folder, name, target.patience);
    try {
      const part = new Uint8Array(PART);
      for (let at = 0, read = from.read(part, 0); read > 0; at += read, read = from.read(part, at)) {
        to.write(part.subarray(0, read), at);
      }
      to.flush();
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}
