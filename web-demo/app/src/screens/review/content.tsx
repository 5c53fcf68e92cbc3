import { useMemo } from 'preact/hooks';

import { Button, Counts, Empty } from '../../parts/bits.js';
import type { Choice } from '../../parts/diff/box.js';
import type { Picks } from '../../parts/diff/picks.js';
import { LayoutSwitch } from '../../parts/layout-switch.js';
import { Name } from '../../parts/plain.js';
import type { ReviewProps } from './acts.js';
import { isNotebook } from './cells.js';
import { Changes } from './changes.js';
import { Comments } from './comments.js';
import { Composer } from './composer.js';
import type { ReviewFile, ReviewModel } from './model.js';
import { Notebook } from './notebook.js';
import { OnlyIn } from './only-in.js';
import { isOpen } from './noted.js';
import type { Placed } from './noted.js';
import { Risks } from './risks.js';
import { Since } from './since.js';
import { ViewBar } from './view-bar.js';

const NO_COMMENTS: Placed[] = [];

const mode = ({ change }: ReviewFile): string =>
  change.old && change.new && change.old.mode !== change.new.mode ? `${change.old.mode} → ${change.new.mode}` : '';

const content = ({ change }: ReviewFile): string => (change.binary ? 'binary' : (change.encoding ?? ''));

/** The numbers of the lines that are picked, and of those with comments. */
function picksOf(model: ReviewModel, listed: number, comments: Placed[]): Picks {
  const spots = comments.filter(isOpen).flatMap(({ spot }) => (spot?.file === listed ? spot : []));
  const { value: picked } = model.noted.picked;
  const isIn = (line: number, { first, last }: { first: number; last: number }): boolean => first <= line && line <= last;
  return {
    isSaid: (side, line) => spots.some((spot) => spot.side === side && isIn(line, spot)),
    isPicked: (side, line) => picked?.side === side && isIn(line, picked),
    pick: (side, line, isMore) => model.pick(side, line, isMore),
  };
}

export function Content({ model, acts, layout, onLayout }: ReviewProps) {
  const now = model.file.value;
  const left = now && model.left(now);
  const isWhole = now?.commit !== undefined;
  const choice = useMemo<Choice | undefined>(() => {
    if (!now || isWhole || now.patch.hunks.length === 0) return undefined;
    const { path } = now.change;
    const count = now.patch.hunks.length;
    return {
      count,
      isOut: (hunk) => left === 'all' || left?.has(hunk) === true,
      toggle: (hunk) => model.toggleHunk(path, hunk, count),
    };
  }, [now, left, isWhole]);
  const comments = now?.listed === undefined ? NO_COMMENTS : model.noted.on(now.listed);
  const picked = model.noted.picked.value;
  const all = model.noted.comments.value;
  const picks = useMemo(
    () => (model.canComment.value && now?.listed !== undefined ? picksOf(model, now.listed, comments) : undefined),
    [now, all, picked, model.canComment.value],
  );
  const view = model.view.value;
  if (!now) {
    return (
      <section class="review-content" aria-label="Changes">
        <Composer model={model} />
        <Empty icon="file" title="No file changes">
          Only commits or a branch would leave.
        </Empty>
      </section>
    );
  }
  const isSeen = model.isReviewed(now);
  return (
    <section class="review-content" aria-label="Changes">
      <div class="bar-row">
        <Name text={now.path} mono />
        <Counts added={now.change.added} deleted={now.change.deleted} />
        {model.movedTo(now) !== undefined && (
          <span class="tag">
            renamed to <Name text={model.movedTo(now) ?? ''} mono />
          </span>
        )}
        {mode(now) && <span class="tag">{mode(now)}</span>}
        {content(now) && <span class="tag warning">{content(now)}</span>}
        {now.commit && <OnlyIn commit={now.commit} />}
        {left && <span class="tag warning">{left === 'all' ? 'left out' : 'cut'}</span>}
        <span class="grow" />
        {!isWhole && (
          <label class="check" title="Leave the file out, or take it in again (x)">
            <input
              type="checkbox"
              ref={(box) => void (box && (box.indeterminate = left !== undefined && left !== 'all'))}
              checked={left === undefined}
              onChange={() => model.toggleFile(now)}
            />
            Include
          </label>
        )}
        <LayoutSwitch layout={layout} onLayout={onLayout} />
        <Button icon="check" kind={isSeen ? 'on' : undefined} isOn={isSeen} keys="V" onClick={() => model.toggleMark()}>
          Reviewed
        </Button>
      </div>
      <Risks risks={now.risks} label="Risks of this file" look="file-risks" />
      {!model.isWhole.value && <p class="code-note danger-text">The changes cannot be shown.</p>}
      <ViewBar model={model} file={now} view={view} onView={(to) => (model.view.value = to)} />
      <Composer model={model} />
      <Comments model={model} acts={acts} comments={comments} label="Comments on this file" />
      {model.isSinceHere.value ? (
        <Since model={model} file={now} layout={layout} />
      ) : view.asCells && isNotebook(now.path) ? (
        <Notebook key={now.key} file={now} layout={layout} />
      ) : (
        <Changes
          file={now}
          renamed={model.renamed.value.get(now.key)}
          layout={layout}
          choice={choice}
          picks={picks}
          at={model.goTo.value}
          view={view}
        />
      )}
    </section>
  );
}
