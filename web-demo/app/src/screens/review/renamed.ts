// The renamed files of a review, by the gate's rule. git pushes them as an addition and a deletion, so this only
// helps the reader.

import type { Listed } from 'gitgate';

import { apart } from '../../parts/diff/patch.js';
import type { ReviewFile } from './model.js';

export interface Renamed {
  /** The old path. */
  from: string;
  /** In percent. */
  similarity: number;
  /** What differs. */
  hunks: string[];
}

/** By the key of the new file. */
export function renamed(files: readonly ReviewFile[], listed: readonly Listed[]): ReadonlyMap<string, Renamed> {
  const found = new Map<string, Renamed>();
  for (const { moved, files: places } of listed) {
    const [now, old] = places.map((at) => files[at]);
    if (!moved || !now || !old) continue;
    const similarity = Number(/^similarity index (\d+)%$/m.exec(moved.head)?.[1] ?? 100);
    found.set(now.key, { from: old.path, similarity, hunks: apart(moved.head, moved.hunks).hunks });
  }
  return found;
}
