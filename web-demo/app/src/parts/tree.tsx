import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';

import type { Entry } from '../state/repo.js';
import { Icon } from './icon.js';
import { Name } from './plain.js';
import { Virtual } from './virtual.js';

/** Folders that are open. They stay so from screen to screen. */
const open = signal(new Set<string>());

function toggle(path: string): void {
  const now = new Set(open.value);
  if (!now.delete(path)) now.add(path);
  open.value = now;
}

const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Those whose folders are all open, folders first. */
function inSight(entries: Entry[], isOpen: Set<string>): Entry[] {
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

interface TreeProps {
  entries: Entry[];
  selected: string;
  changed: Map<string, string>;
  unsaved: string[];
  select: (path: string) => void;
}

export function Tree({ entries, selected, changed, unsaved, select }: TreeProps) {
  const isOpen = open.value;
  const rows = useMemo(() => inSight(entries, isOpen), [entries, isOpen]);
  const [at, setAt] = useState(0);
  const now = Math.min(at, Math.max(0, rows.length - 1));
  const act = (entry: Entry | undefined): void => {
    if (!entry) return;
    if (entry.isFolder) toggle(entry.path);
    else select(entry.path);
  };
  const onKey = (key: string, index: number): boolean => {
    const entry = rows[index];
    if (!entry) return false;
    const isShown = entry.isFolder && isOpen.has(entry.path);
    if (key === 'Enter' || key === ' ') act(entry);
    else if (key === 'ArrowRight' && entry.isFolder && !isShown) toggle(entry.path);
    else if (key === 'ArrowRight') setAt(Math.min(rows.length - 1, index + 1));
    else if (key === 'ArrowLeft' && isShown) toggle(entry.path);
    else if (key === 'ArrowLeft')
      setAt(
        Math.max(
          0,
          rows.findIndex(({ path }) => path === parent(entry.path)),
        ),
      );
    else return false;
    return true;
  };
  return (
    <Virtual
      count={rows.length}
      height={28}
      label="Files"
      role="tree"
      at={now}
      move={setAt}
      onKey={onKey}
      row={(index, props) => {
        const entry = rows[index];
        if (!entry) return null;
        const depth = entry.path.split('/').length - 1;
        const mark = changed.get(entry.path);
        return (
          <div
            {...props}
            key={entry.path}
            role="treeitem"
            class="tree-row"
            aria-level={depth + 1}
            aria-expanded={entry.isFolder ? isOpen.has(entry.path) : undefined}
            aria-selected={entry.path === selected}
            onClick={() => {
              setAt(index);
              act(entry);
            }}
          >
            <span class="indent" style={{ width: `${depth * 16}px` }} />
            <span class="twist">{entry.isFolder && <Icon name="chevron" />}</span>
            <Icon name={entry.isFolder ? 'folder' : entry.isLink ? 'link' : 'file'} />
            <Name text={entry.path.slice(parent(entry.path).length).replace(/^\//, '')} />
            {entry.isLink && (
              <span class="target muted">
                → <Name text={entry.target} />
              </span>
            )}
            {unsaved.includes(entry.path) && (
              <span class="mark" title="not saved">
                ●
              </span>
            )}
            {mark && (
              <span class="mark" title={mark}>
                {mark === 'new' ? 'A' : 'M'}
              </span>
            )}
          </div>
        );
      }}
    />
  );
}
