import { useMemo } from 'preact/hooks';

import { Button, Counts, Empty } from '../../parts/bits.js';
import type { Choice } from '../../parts/diff/box.js';
import { LayoutSwitch } from '../../parts/layout-switch.js';
import { Name } from '../../parts/plain.js';
import type { ReviewProps } from './acts.js';
import { Changes } from './changes.js';
import type { ReviewFile } from './model.js';
import { OnlyIn } from './only-in.js';
import { Risks } from './risks.js';

const mode = ({ change }: ReviewFile): string =>
  change.old && change.new && change.old.mode !== change.new.mode ? `${change.old.mode} → ${change.new.mode}` : '';

const content = ({ change }: ReviewFile): string => (change.binary ? 'binary' : (change.encoding ?? ''));

export function Content({ model, layout, onLayout }: ReviewProps) {
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
  if (!now) {
    return (
      <Empty icon="file" title="No file changes">
        Only commits or a branch would leave.
      </Empty>
    );
  }
  const isSeen = model.marks.value.has(now.key);
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
      <Changes file={now} renamed={model.renamed.value.get(now.key)} layout={layout} choice={choice} />
    </section>
  );
}
