// The files of a review as a tree, in their order. A folder that has nothing but one folder is one row with it.

export interface FolderRow {
  kind: 'folder';
  /** With a slash at its end. What tells it from others. */
  path: string;
  /** What the row says: the part of the path that the rows above do not. */
  name: string;
  depth: number;
  isClosed: boolean;
  /** The files below it, by their places in the list. */
  files: number[];
}

export interface FileRow {
  kind: 'file';
  /** The file's place in the list. */
  at: number;
  name: string;
  depth: number;
}

export type TreeRow = FolderRow | FileRow;

interface Named {
  path: string;
}

/** The places of those whose path has all of the words. */
export function matching(files: readonly Named[], filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return files.flatMap(({ path }, at) => {
    const lower = path.toLowerCase();
    return words.every((word) => lower.includes(word)) ? [at] : [];
  });
}

interface Folder {
  path: string;
  /** In the order in which they come. */
  rows: (Folder | number)[];
  folders: Map<string, Folder>;
}

function grown(files: readonly Named[], shown: number[]): Folder {
  const root: Folder = { path: '', rows: [], folders: new Map() };
  for (const at of shown) {
    let folder = root;
    const parts = (files[at]?.path ?? '').split('/');
    for (const part of parts.slice(0, -1)) {
      let below = folder.folders.get(part);
      if (!below) {
        below = { path: `${folder.path}${part}/`, rows: [], folders: new Map() };
        folder.folders.set(part, below);
        folder.rows.push(below);
      }
      folder = below;
    }
    folder.rows.push(at);
  }
  return root;
}

const filesOf = ({ rows }: Folder): number[] => rows.flatMap((row) => (typeof row === 'number' ? [row] : filesOf(row)));

/** The rows in sight. What is in a closed folder is not. */
export function treeRows(files: readonly Named[], shown: number[], closed: ReadonlySet<string>): TreeRow[] {
  const found: TreeRow[] = [];
  const add = ({ rows, path: above }: Folder, depth: number): void => {
    for (const row of rows) {
      if (typeof row === 'number') {
        found.push({ kind: 'file', at: row, name: (files[row]?.path ?? '').slice(above.length), depth });
        continue;
      }
      let folder = row;
      for (;;) {
        const [only] = folder.rows;
        if (folder.rows.length > 1 || only === undefined || typeof only === 'number') break;
        folder = only;
      }
      const { path } = folder;
      const isClosed = closed.has(path);
      found.push({ kind: 'folder', path, name: path.slice(above.length), depth, isClosed, files: filesOf(folder) });
      if (!isClosed) add(folder, depth + 1);
    }
  };
  add(grown(files, shown), 0);
  return found;
}
