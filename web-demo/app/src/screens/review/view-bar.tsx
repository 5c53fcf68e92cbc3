// How the changes of a file are looked at.

import { Button } from '../../parts/bits.js';
import { isNotebook } from './cells.js';
import type { ReviewFile, ReviewModel } from './model.js';

export interface View {
  hidesBlanks: boolean;
  /** Lines of context beyond those of the patch. */
  context: number;
  /** Whether a notebook is shown as its cells. */
  asCells: boolean;
}

interface ViewBarProps {
  model: ReviewModel;
  file: ReviewFile;
  view: View;
  onView: (view: View) => void;
}

/** Lines that one press adds. */
export const MORE = 20;

export function ViewBar({ model, file, view, onView }: ViewBarProps) {
  const units = file.listed === undefined ? [] : (model.noted.listed.value[file.listed]?.units ?? []);
  const wasSeen = units.some((unit) => model.noted.isOwn(unit));
  const isSince = model.isSince.value;
  const hasHunks = file.patch.hunks.length > 0;
  return (
    <div class="view-bar" role="group" aria-label="View">
      {wasSeen && (
        <div class="segments" role="group" aria-label="Which changes are shown">
          {[false, true].map((since) => (
            <button
              type="button"
              key={String(since)}
              aria-pressed={isSince === since}
              onClick={() => (model.isSince.value = since)}
            >
              {since ? 'Since you looked' : 'All changes'}
            </button>
          ))}
        </div>
      )}
      {isNotebook(file.path) && !(wasSeen && isSince) && (
        <Button
          kind={view.asCells ? 'on' : 'quiet'}
          isOn={view.asCells}
          onClick={() => onView({ ...view, asCells: !view.asCells })}
        >
          Cells
        </Button>
      )}
      {hasHunks && !(wasSeen && isSince) && (
        <>
          <Button
            kind={view.hidesBlanks ? 'on' : 'quiet'}
            isOn={view.hidesBlanks}
            keys="W"
            title="Lines that differ only in blanks look the same"
            onClick={() => onView({ ...view, hidesBlanks: !view.hidesBlanks })}
          >
            Hide blanks
          </Button>
          <Button kind="quiet" keys="O" onClick={() => onView({ ...view, context: view.context + MORE })}>
            More context
          </Button>
          {view.context > 0 && (
            <Button kind="quiet" onClick={() => onView({ ...view, context: 0 })}>
              Less
            </Button>
          )}
        </>
      )}
      {model.isPartial.value && <span class="tag warning">not all of it is shown</span>}
      <span class="grow" />
      {model.canComment.value && (
        <Button kind="quiet" keys="C" onClick={() => model.writeHere()}>
          Comment…
        </Button>
      )}
    </div>
  );
}
