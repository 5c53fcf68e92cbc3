import type { Entry } from '../state/repo.js';
import { Icon } from './icon.js';
import { Name } from './plain.js';
import { parent } from './tree-rows.js';
import type { RowProps } from './virtual.js';

export interface TreeActs {
  rename: (entry: Entry) => void;
  remove: (entry: Entry) => void;
}

/** Pointer access to what keys also do. A file has these buttons in its toolbar. */
function Acts({ entry, acts }: { entry: Entry; acts: TreeActs }) {
  const act = (work: (entry: Entry) => void) => (event: MouseEvent) => {
    event.stopPropagation();
    work(entry);
  };
  return (
    <span class="tree-acts" aria-hidden="true">
      <button type="button" tabIndex={-1} title="Rename or move (F2)" onClick={act(acts.rename)}>
        <Icon name="edit" />
      </button>
      <button type="button" tabIndex={-1} title="Delete (Delete)" onClick={act(acts.remove)}>
        <Icon name="bin" />
      </button>
    </span>
  );
}

interface TreeRowProps {
  entry: Entry;
  props: RowProps;
  isOpen: boolean;
  isSelected: boolean;
  isUnsaved: boolean;
  /** The difference from the last commit. */
  mark: string | undefined;
  acts: TreeActs;
  onClick: () => void;
}

export function TreeRow({ entry, props, isOpen, isSelected, isUnsaved, mark, acts, onClick }: TreeRowProps) {
  const depth = entry.path.split('/').length - 1;
  return (
    <div
      {...props}
      role="treeitem"
      class="tree-row"
      aria-level={depth + 1}
      aria-expanded={entry.isFolder ? isOpen : undefined}
      aria-selected={isSelected}
      onClick={onClick}
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
      {entry.isFolder && <Acts entry={entry} acts={acts} />}
      {isUnsaved && (
        <span class="mark" title="unsaved">
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
}
