// The files of a review as a tree, in order. A folder that only contains one folder shares its row.

export interface FolderRow {
  kind: 'folder';
  /** Ends with a slash. Identifies the folder. */
  path: string;
  /** The row's text: the part of the path that the rows above lack. */
  name: string;
  depth: number;
  isClosed: boolean;
  /** The indices of the files below it. */
  files: number[];
}

export interface FileRow {
  kind: 'file';
  /** The file's index in the list. */
  at: number;
  name: string;
  depth: number;
}

export type TreeRow = FolderRow | FileRow;

interface Named {
  path: string;
}

/** The indices of files whose paths contain all of the words. */
export function matching(files: readonly Named[], filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return files.flatMap(({ path }, at) => {
    const lower = path.toLowerCase();
    return words.every((word) => lower.includes(word)) ? [at] : [];
  });
}

interface Folder {
  path: string;
  /** In the order of the list. */
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

/** The visible rows. The contents of closed folders have none. */
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
