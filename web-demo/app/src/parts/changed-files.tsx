// The list of a diff's files. Arrow keys move through it, and a field filters a long one.

import { useState } from 'preact/hooks';

import { Counts, Status } from './bits.js';
import type { FilePatch } from './diff/patch.js';
import { Path } from './plain.js';

/** A shorter list needs no filter. */
const LONG = 12;

const isIn = ({ path, from }: FilePatch, words: string[]): boolean =>
  words.every((word) => [path, from ?? ''].some((name) => name.toLowerCase().includes(word)));

/** Moves to another row, and opens it. */
function step(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.file-row')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const steps: { [key: string]: number } = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
  const to = steps[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
  row?.focus();
  row?.click();
}

interface ChangedFilesProps {
  patches: FilePatch[];
  /** The number of further files, about which nothing is known. */
  missing: number;
  shown: FilePatch;
  show: (path: string) => void;
}

export function ChangedFiles({ patches, missing, shown, show }: ChangedFilesProps) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = patches.filter((one) => isIn(one, words));
  const sum = (of: 'added' | 'deleted'): number => patches.reduce((all, one) => all + one[of], 0);
  return (
    <div class="patches-list">
      <div class="bar-row patches-head">
        <span class="small">
          {words.length > 0 && `${found.length} of `}
          {patches.length + missing} {patches.length + missing === 1 ? 'file' : 'files'} changed
        </span>
        <Counts added={sum('added')} deleted={sum('deleted')} />
        {patches.length > LONG && (
          <input
            type="search"
            aria-label="Filter changed files"
            placeholder="Filter files"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
      </div>
      <div class="patches-files" role="group" aria-label="Changed files" onKeyDown={step}>
        {found.map((one) => (
          <button
            type="button"
            key={one.path}
            class="file-row"
            aria-current={one === shown ? 'true' : undefined}
            onClick={() => show(one.path)}
          >
            <Status of={one.status} />
            {one.from !== undefined && (
              <>
                <Path text={one.from} />
                <span class="muted" aria-label="renamed to" role="img">
                  →
                </span>
              </>
            )}
            <Path text={one.path} />
            {/* Of a file that is read later they may not be known. */}
            {!(one.load && one.added + one.deleted === 0) && <Counts added={one.added} deleted={one.deleted} />}
          </button>
        ))}
        {missing > 0 && <p class="muted small pad">{missing} more files are not listed: the change is too large.</p>}
        {found.length === 0 && <p class="muted pad">No file matches.</p>}
      </div>
    </div>
  );
}
