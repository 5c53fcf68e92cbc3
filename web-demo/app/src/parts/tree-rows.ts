// Computes the rows of a tree.

import type { Entry } from '../state/repo.js';

export const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The entries whose folders are all open, folders first. */
export function inSight(entries: Entry[], isOpen: ReadonlySet<string>): Entry[] {
  const children = new Map<string, Entry[]>();
  for (const entry of entries) {
    const above = parent(entry.path);
    const known = children.get(above);
    if (known) known.push(entry);
    else children.set(above, [entry]);
  }
  const found: Entry[] = [];
  const add = (above: string): void => {
    const below = children.get(above) ?? [];
    for (const entry of [...below.filter((one) => one.isFolder), ...below.filter((one) => !one.isFolder)]) {
      found.push(entry);
      if (entry.isFolder && isOpen.has(entry.path)) add(entry.path);
    }
  };
  add('');
  return found;
}

/** The entries with a text in their paths, and the folders above them. */
export function filtered(entries: Entry[], text: string): { entries: Entry[]; unfolded: ReadonlySet<string> } {
  const wanted = text.trim().toLowerCase();
  const unfolded = new Set<string>();
  if (wanted === '') return { entries, unfolded };
  const fits = new Set<string>();
  for (const { path } of entries) {
    if (!path.toLowerCase().includes(wanted)) continue;
    fits.add(path);
    for (let above = parent(path); above !== '' && !unfolded.has(above); above = parent(above)) unfolded.add(above);
  }
  return { entries: entries.filter(({ path }) => fits.has(path) || unfolded.has(path)), unfolded };
}
