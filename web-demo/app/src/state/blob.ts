// The text of a file's content, by its id.

import { number, row, text } from './json.js';
import { MOST_TEXT } from './room.js';
import { mine } from './session.js';

/** Nothing for content that is no UTF-8 text, or too large. */
export async function textOf(id: string): Promise<string | undefined> {
  const blob = row(row(await mine('git_show', { commit: id, base64: true, max_bytes: MOST_TEXT })).blob);
  if (blob.content === undefined || number(blob.size) > Math.floor(MOST_TEXT / 4) * 3) return undefined;
  const bytes = Uint8Array.from(atob(text(blob.content)), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
