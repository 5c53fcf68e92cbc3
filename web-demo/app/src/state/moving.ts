// A person's actions on whole files or folders.

import { GitgateError } from 'gitgate';

import { ask } from './dialog.js';
import { discardBelow, isBelow, moveDrafts, unsaved } from './drafts.js';
import { number, row, text } from './json.js';
import { entries, refresh } from './repo.js';
import type { Entry } from './repo.js';
import { currentName, go, route } from './route.js';
import { saveAs } from './save-as.js';
import { mine, need } from './session.js';
import { note } from './toast.js';

const isOpen = (path: string): boolean => route.value.screen === 'files' && isBelow(route.value.rest, path);
const count = (all: number, what: string): string => `${all} ${what}${all === 1 ? '' : 's'}`;

type Place = Pick<Entry, 'path' | 'isFolder'>;

function consequences({ path, isFolder }: Place): string {
  const files = (entries.value ?? []).filter((one) => !one.isFolder && isBelow(one.path, path)).length;
  const typed = unsaved(currentName.value ?? '').filter((one) => isBelow(one, path)).length;
  return [
    isFolder ? `${path}, with ${count(files, 'file')} in it, is deleted.` : `${path} is deleted.`,
    typed > 0 && `What you have not saved in ${count(typed, 'file')} is lost.`,
    'You can undo this in History.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns whether it was deleted. */
export async function remove(entry: Place): Promise<boolean> {
  const { name } = need();
  const { path, isFolder } = entry;
  const title = isFolder ? 'Delete the folder?' : 'Delete the file?';
  const sure = await ask({ title, body: consequences(entry), action: 'Delete', isDangerous: true });
  if (sure === undefined) return false;
  const done = row(await mine('delete_file', { path, ...(isFolder && { recursive: true }) }, true));
  discardBelow(name, path);
  if (isOpen(path)) go('files');
  if (done.undoable === false) note(`Deleted ${path}. It is too large to be undone.`);
  else note(`Deleted ${path}.`, { label: 'Show the history', screen: 'history' });
  await refresh();
  return true;
}

/** Moves a file or folder to another path, together with its drafts. */
export async function move(entry: Place): Promise<void> {
  const { name } = need();
  const from = entry.path;
  const field = { label: 'Path', value: from, isRequired: true };
  const to = await ask({ title: 'Rename or move', body: 'Folders are made as needed.', action: 'Rename', field });
  if (to === undefined || to === from) return;
  const moved = text(row(await mine('move_file', { from, to }, true)).to).replace(/^\/workspace\//, '');
  moveDrafts(name, from, moved);
  if (isOpen(from)) go('files', moved + route.value.rest.slice(from.length));
  note(`Renamed to ${moved}.`);
  await refresh();
}

function bytesOf(part: { content: string; encoding: string }): Uint8Array {
  if (part.encoding !== 'base64') return new TextEncoder().encode(part.content);
  return Uint8Array.from(atob(part.content), (one) => one.charCodeAt(0));
}

/** All of it, or nothing: half a file looks like a whole one. */
export async function download(path: string): Promise<void> {
  const parts: Uint8Array[] = [];
  for (let offset = 1, size = 0, got = 0; ;) {
    const found = row(await mine('read_file', { path, offset }));
    const part = bytesOf({ content: text(found.content), encoding: text(found.encoding) });
    parts.push(part);
    size = number(found.size);
    got += part.length;
    const next = number(found.nextOffset);
    if (next > offset) offset = next;
    else if (got === size) break;
    else
      throw new GitgateError(
        'too-large',
        `${path} has a line that is too long to download`,
        'push it, or take a bundle',
      );
  }
  const bytes = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
  saveAs(bytes, path.slice(path.lastIndexOf('/') + 1), 'application/octet-stream');
}
