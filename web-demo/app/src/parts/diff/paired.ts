// A diff that shows a deleted and a new file as one if they are a rename.

import { countsOf } from './patch.js';
import type { FilePatch } from './patch.js';
import { renames } from './renames.js';
import type { Half } from './renames.js';

/** git's ids of the content before and after, or their beginnings. Zeros stand for no file. */
export function idsOf(head: string): [old: string | undefined, fresh: string | undefined] {
  const [, old, fresh] = /^index ([0-9a-f]{7,64})\.\.([0-9a-f]{7,64})/m.exec(head) ?? [];
  const known = (id: string | undefined): string | undefined => (id && /[^0]/.test(id) ? id : undefined);
  return [known(old), known(fresh)];
}

const halves = (patches: FilePatch[], side: 0 | 1): Half[] =>
  patches.map(({ path, head, hunks }) => ({ path, id: idsOf(head)[side], hunks }));

export function paired(patches: FilePatch[]): FilePatch[] {
  const gone = patches.filter(({ status }) => status === 'D');
  const fresh = patches.filter(({ status }) => status === 'A');
  const merged = new Map<FilePatch, FilePatch>();
  const left = new Set<FilePatch>();
  for (const { from, to, similarity, hunks } of renames(halves(gone, 0), halves(fresh, 1))) {
    const [old, now] = [gone[from], fresh[to]];
    if (!old || !now) continue;
    left.add(old);
    merged.set(now, {
      path: now.path,
      from: old.path,
      similarity,
      status: 'R',
      // One side comes from the tool, which escaped it.
      escaped: 'git',
      head: '',
      hunks,
      ...countsOf(hunks),
    });
  }
  return patches.filter((one) => !left.has(one)).map((one) => merged.get(one) ?? one);
}
