// The picture that a file is, at a revision or in the working folder. Tools give no bytes of a binary file
// at a revision: it can be shown if the working folder has the same content, which git's id tells.

import { GitgateError } from 'gitgate';

import { number, row, text } from './json.js';
import { mine, need } from './session.js';

export const MOST_BYTES = 10_000_000;

const TYPES: { [ending: string]: string } = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

export const pictureType = (path: string): string | undefined => TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];

export interface Picture {
  bytes: number;
  /** Its content as an address. There is none of what cannot be shown. */
  url: string | undefined;
  why: string;
}

const hidden = (bytes: number, why: string): Picture => ({ bytes, url: undefined, why });
const tooLarge = (bytes: number): Picture => hidden(bytes, 'Images over 10 MB are not shown.');

async function shown(content: Uint8Array<ArrayBuffer>, type: string): Promise<Picture> {
  const reader = new FileReader();
  const done = new Promise<void>((resolve, reject) => {
    reader.onload = () => resolve();
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(new Blob([content], { type }));
  await done;
  return { bytes: content.length, url: String(reader.result), why: '' };
}

/** git's id of a content. A repository's ids are of one length, which tells their kind. */
async function idOf(content: Uint8Array<ArrayBuffer>, length: number): Promise<string> {
  const head = new TextEncoder().encode(`blob ${content.length}\0`);
  const all = await new Blob([head, content]).arrayBuffer();
  const digest = await crypto.subtle.digest(length === 40 ? 'SHA-1' : 'SHA-256', all);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(content: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding !== 'base64') return new TextEncoder().encode(content);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}

/** All of a file in the working folder, or how large it is if that is too much. */
async function workingBytes(path: string): Promise<Uint8Array<ArrayBuffer> | number> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 1; ;) {
    const part = row(await mine('read_file', { path, offset }));
    const size = number(part.size);
    if (size > MOST_BYTES) return size;
    parts.push(bytesOf(text(part.content), text(part.encoding)));
    const next = number(part.nextOffset);
    if (next <= offset) {
      const all = new Uint8Array(await new Blob(parts).arrayBuffer());
      // A line that is longer than a page is cut, and nothing continues it.
      return all.length === size ? all : size;
    }
    offset = next;
  }
}

async function workingPicture(path: string, type: string): Promise<Picture> {
  const found = await workingBytes(path);
  if (typeof found !== 'number') return shown(found, type);
  return found > MOST_BYTES ? tooLarge(found) : hidden(found, 'This image cannot be read whole.');
}

/** What the working folder has under that name, if it is there at all. */
async function sameInWorking(path: string, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const found = await workingBytes(path);
    return typeof found !== 'number' && (await idOf(found, id.length)) === id ? found : undefined;
  } catch (error) {
    if (error instanceof GitgateError && error.kind === 'not-found') return undefined;
    throw error;
  }
}

async function committedPicture(path: string, revision: string, type: string): Promise<Picture> {
  const args = { commit: `${revision}:${path}`, max_bytes: 5_000_000 };
  const reply = await need().call('git_show', args, { as: 'user' });
  if (reply.outcome === 'failed') throw new GitgateError(reply.kind, reply.message, reply.hint);
  if (reply.outcome !== 'done') throw new GitgateError('not-approved', reply.reason, reply.hint);
  const blob = row(row(reply.structured).blob);
  const [id, size] = [text(blob.id), number(blob.size)];
  if (size > MOST_BYTES) return tooLarge(size);
  // A text comes whole, unless characters of it were made visible: then its id is another one.
  const said = new TextEncoder().encode(reply.text);
  const content = (await idOf(said, id.length)) === id ? said : await sameInWorking(path, id);
  return content
    ? shown(content, type)
    : hidden(size, 'This version cannot be shown, only the one in the working folder.');
}

/** Without a revision: as it is in the working folder. */
export function picture(path: string, revision: string | undefined): Promise<Picture> {
  const type = pictureType(path) ?? '';
  return revision === undefined ? workingPicture(path, type) : committedPicture(path, revision, type);
}
