// Finds the renamed files of a review. git pushes them as an addition and a deletion, so this only helps
// the reader.

import { apart } from '../../parts/diff/patch.js';
import { renames } from '../../parts/diff/renames.js';
import type { Half } from '../../parts/diff/renames.js';
import type { ReviewFile } from './model.js';

export interface Renamed {
  /** The old path. */
  from: string;
  /** In percent. */
  similarity: number;
  /** What differs. */
  hunks: string[];
}

const half = ({ path, patch, change }: ReviewFile): Half => ({
  path,
  id: (change.new ?? change.old)?.id,
  hunks: apart(patch.head, patch.hunks).hunks,
});

/** By the key of the new file. Files of intermediate commits only have no pair. */
export function renamed(files: readonly ReviewFile[]): ReadonlyMap<string, Renamed> {
  const last = files.filter(({ commit }) => commit === undefined);
  const gone = last.filter(({ change }) => change.status === 'D');
  const fresh = last.filter(({ change }) => change.status === 'A');
  const found = new Map<string, Renamed>();
  if (gone.length === 0 || fresh.length === 0) return found;
  for (const { from, to, similarity, hunks } of renames(gone.map(half), fresh.map(half))) {
    const [old, now] = [gone[from], fresh[to]];
    if (!old || !now) continue;
    // Pair only files whose differences all show: no changed mode, and no bytes that look the same.
    const isShown = old.change.old?.mode === now.change.new?.mode && !old.change.binary && !now.change.binary;
    const isSame = old.change.old?.id === now.change.new?.id;
    if ((isShown && hunks.length > 0) || (isSame && old.change.old?.mode === now.change.new?.mode)) {
      found.set(now.key, { from: old.path, similarity, hunks });
    }
  }
  return found;
}
