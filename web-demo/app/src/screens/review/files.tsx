// The files of a review: a tree with folders, and a filter above it.

import { useEffect, useMemo, useState } from 'preact/hooks';

import { Icon } from '../../parts/icon.js';
import { Name } from '../../parts/plain.js';
import { Virtual } from '../../parts/virtual.js';
import type { RowProps } from '../../parts/virtual.js';
import { FileRow, INDENT } from './file-row.js';
import type { ReviewFile, ReviewModel } from './model.js';
import { matching, treeRows } from './tree.js';
import type { FolderRow } from './tree.js';

/** Fewer files fit on the screen and need no filter. */
const FEW = 12;
const HEIGHT = 28;

interface FolderProps {
  model: ReviewModel;
  row: FolderRow;
  toggle: () => void;
  props: RowProps;
}

function Folder({ model, row, toggle, props }: FolderProps) {
  const left = new Set(model.unopened.value);
  const unopened = row.files.filter((at) => left.has(model.files.value[at] as ReviewFile)).length;
  return (
    <div
      {...props}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={!row.isClosed}
      aria-selected={false}
      class="tree-row review-folder"
      onClick={toggle}
    >
      <span class="indent" style={{ width: `${row.depth * INDENT}px` }} />
      <span class="twist">
        <Icon name="chevron" />
      </span>
      <Name text={row.name} />
      <span class="grow" />
      {row.isClosed && (
        <span class="muted small">
          {row.files.length} {row.files.length === 1 ? 'file' : 'files'}
          {unopened > 0 && `, ${unopened} unopened`}
        </span>
      )}
    </div>
  );
}

function Head({ model, filter, onFilter }: { model: ReviewModel; filter: string; onFilter: (to: string) => void }) {
  const files = model.files.value;
  const between = files.filter(({ commit }) => commit !== undefined).length;
  const reviewed = files.filter((file) => model.isReviewed(file)).length;
  return (
    <>
      <h2 class="section">
        <span class="grow">Files{between > 0 && <span class="muted">, {between} in earlier commits only</span>}</span>
        {reviewed > 0 && <span class="muted">{reviewed} reviewed</span>}
      </h2>
      {files.length > FEW && (
        <div class="filter">
          <input
            type="search"
            aria-label="Filter files"
            placeholder="Filter files"
            value={filter}
            onInput={(event) => onFilter(event.currentTarget.value)}
          />
        </div>
      )}
    </>
  );
}

export function Files({ model }: { model: ReviewModel }) {
  const files = model.files.value;
  const [filter, setFilter] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  /** The row with the focus, if it is a folder: otherwise it is the selected file's. */
  const [folder, setFolder] = useState<string | undefined>(undefined);
  // A filter also shows matches in closed folders.
  const rows = useMemo(
    () => treeRows(files, matching(files, filter), filter ? new Set() : closed),
    [files, filter, closed],
  );
  useEffect(() => {
    // However the person got to the file, scroll to its row.
    const path = files[model.selected.value]?.path ?? '';
    setFolder(undefined);
    setClosed((before) => new Set([...before].filter((one) => !path.startsWith(one))));
  }, [model.selected.value]);
  const at = Math.max(
    0,
    rows.findIndex((row) =>
      folder === undefined
        ? row.kind === 'file' && row.at === model.selected.value
        : row.kind === 'folder' && row.path === folder,
    ),
  );
  const move = (to: number): void => {
    const row = rows[to];
    setFolder(row?.kind === 'folder' ? row.path : undefined);
    if (row?.kind === 'file') model.select(row.at);
  };
  const toggle = (path: string): void => {
    const now = new Set(closed);
    if (!now.delete(path)) now.add(path);
    setClosed(now);
  };
  const onKey = (key: string, index: number): boolean => {
    const row = rows[index];
    if (row?.kind === 'file') {
      if (key === ' ') model.toggleMark(row.at);
      else if (key === 'Enter') model.open(row.at);
      else if (key === 'ArrowLeft') move(rows.findLastIndex(({ depth }, up) => up < index && depth < row.depth));
      return key === ' ' || key === 'Enter' || key === 'ArrowLeft';
    }
    const isToggled = key === ' ' || key === 'Enter' || key === (row?.isClosed ? 'ArrowRight' : 'ArrowLeft');
    if (row && isToggled) toggle(row.path);
    return isToggled;
  };
  return (
    <>
      <Head model={model} filter={filter} onFilter={setFilter} />
      {rows.length === 0 && files.length > 0 && <p class="muted small pad">No file matches.</p>}
      <Virtual
        count={rows.length}
        height={HEIGHT}
        label="Files that change"
        role="tree"
        at={at}
        move={move}
        onKey={onKey}
        row={(index, props) => {
          const row = rows[index];
          if (row?.kind === 'folder') {
            return <Folder key={row.path} model={model} row={row} toggle={() => toggle(row.path)} props={props} />;
          }
          const file = row && files[row.at];
          return file && <FileRow key={`${row.at} ${file.key}`} model={model} file={file} row={row} props={props} />;
        }}
      />
    </>
  );
}
