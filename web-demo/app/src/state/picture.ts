// The image in a file, at a revision or in the working folder.

import { number, row, text } from './json.js';
import { MOST_TEXT } from './room.js';
import { mine } from './session.js';

/** A tool's result has room for this many bytes in base64. */
export const MOST_BYTES = Math.floor(MOST_TEXT / 4) * 3;

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
  /** Its content as a URL; missing if it cannot be displayed. */
  url: string | undefined;
  why: string;
}

const hidden = (bytes: number, why: string): Picture => ({ bytes, url: undefined, why });
const tooLarge = (bytes: number): Picture => hidden(bytes, 'Images over 3.7 MB are not shown.');

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

function bytesOf(content: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding !== 'base64') return new TextEncoder().encode(content);
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}

/** The whole file in the working folder, or its size if it is too large. */
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
      // A line longer than a page is cut, and no page continues it.
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

/** `of` is a file at a revision, or the id of its content. Returns its size if it is too large. */
export async function committedBytes(of: string): Promise<Uint8Array<ArrayBuffer> | number> {
  const blob = row(row(await mine('git_show', { commit: of, base64: true, max_bytes: MOST_TEXT })).blob);
  const size = number(blob.size);
  return size > MOST_BYTES || blob.content === undefined ? size : bytesOf(text(blob.content), 'base64');
}

async function committedPicture(of: string, type: string): Promise<Picture> {
  const found = await committedBytes(of);
  return typeof found === 'number' ? tooLarge(found) : shown(found, type);
}

/** The image with this content id. */
export const pictureOf = (id: string, path: string): Promise<Picture> => committedPicture(id, pictureType(path) ?? '');

/** Without a revision: the image in the working folder. */
export function picture(path: string, revision: string | undefined): Promise<Picture> {
  const type = pictureType(path) ?? '';
  return revision === undefined ? workingPicture(path, type) : committedPicture(`${revision}:${path}`, type);
}
