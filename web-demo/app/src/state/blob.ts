// The text of a file's content, by its id.

import { committedBytes } from './picture.js';

/** Nothing for content that is no UTF-8 text, or too large. */
export async function textOf(id: string): Promise<string | undefined> {
  const bytes = await committedBytes(id);
  if (typeof bytes === 'number') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
