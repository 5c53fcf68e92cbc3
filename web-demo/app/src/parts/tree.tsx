import { signal } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';

import type { Entry } from '../state/repo.js';
import { TreeRow } from './tree-row.js';
import type { TreeActs } from './tree-row.js';
import { filtered, inSight, parent } from './tree-rows.js';
import { Virtual } from './virtual.js';

/** The open folders. They stay open from screen to screen. */
const open = signal<ReadonlySet<string>>(new Set());

function toggled(all: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const now = new Set(all);
  if (!now.delete(path)) now.add(path);
  return now;
}

interface FilterProps {
  text: string;
  change: (text: string) => void;
  toRows: () => void;
}

function Filter({ text, change, toRows }: FilterProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') toRows();
    else if (event.key === 'Escape' && text !== '') change('');
    else return;
    event.preventDefault();
  };
  return (
    <div class="tree-filter">
      <input
        type="search"
        aria-label="Filter files"
        placeholder="Filter files"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface TreeProps extends TreeActs {
  entries: Entry[];
  selected: string;
  changed: Map<string, string>;
  unsaved: string[];
  select: (path: string) => void;
}

export function Tree({ entries, selected, changed, unsaved, select, rename, remove }: TreeProps) {
  const [text, setText] = useState('');
  /** Folders toggled against the default while this filter is active. */
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set());
  const opened = open.value;
  const fit = useMemo(() => filtered(entries, text), [entries, text]);
  const isOpen = useMemo(() => {
    if (text.trim() === '') return opened;
    return new Set([...fit.unfolded, ...switched].filter((path) => fit.unfolded.has(path) !== switched.has(path)));
  }, [text, opened, fit, switched]);
  const rows = useMemo(() => inSight(fit.entries, isOpen), [fit, isOpen]);
  const [at, setAt] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const now = Math.min(at, Math.max(0, rows.length - 1));
  const toggle = (path: string): void => {
    if (text.trim() === '') open.value = toggled(opened, path);
    else setSwitched(toggled(switched, path));
  };
  const act = (entry: Entry): void => (entry.isFolder ? toggle(entry.path) : select(entry.path));
  const onKey = (key: string, index: number): boolean => {
    const entry = rows[index];
    if (!entry) return false;
    const isShown = entry.isFolder && isOpen.has(entry.path);
    if (key === 'Enter' || key === ' ') act(entry);
    else if (key === 'ArrowRight' && entry.isFolder && !isShown) toggle(entry.path);
    else if (key === 'ArrowRight') setAt(Math.min(rows.length - 1, index + 1));
    else if (key === 'ArrowLeft' && isShown) toggle(entry.path);
    else if (key === 'ArrowLeft') {
      const above = parent(entry.path);
      setAt(
        Math.max(
          0,
          rows.findIndex(({ path }) => path === above),
        ),
      );
    } else if (key === 'F2') rename(entry);
    else if (key === 'Delete') remove(entry);
    else return false;
    return true;
  };
  const change = (wanted: string): void => {
    setText(wanted);
    setSwitched(new Set());
    setAt(0);
  };
  const toRows = (): void => place.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
  return (
    <div ref={place} class="tree">
      <Filter text={text} change={change} toRows={toRows} />
      {rows.length === 0 && (
        <p class="muted pad small" role="status">
          No path has this text.
        </p>
      )}
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
          return (
            <TreeRow
              key={entry.path}
              entry={entry}
              props={props}
              isOpen={isOpen.has(entry.path)}
              isSelected={entry.path === selected}
              isUnsaved={unsaved.includes(entry.path)}
              mark={changed.get(entry.path)}
              acts={{ rename, remove }}
              onClick={() => {
                setAt(index);
                act(entry);
              }}
            />
          );
        }}
      />
    </div>
  );
}
