// What is new in a file since the person looked: new parts, and of mended ones the difference to what was seen.

import { useMemo } from 'preact/hooks';

import { Diff } from '../../parts/diff/diff.js';
import type { Layout } from '../../parts/layout-switch.js';
import type { ReviewFile, ReviewModel } from './model.js';

interface SinceProps {
  model: ReviewModel;
  file: ReviewFile;
  layout: Layout;
}

/** What is new, and how many parts are the same. */
function newsOf(model: ReviewModel, { listed: at }: ReviewFile): { hunks: string[]; same: number } {
  const { listed, texts } = (at === undefined ? undefined : model.partsOf(at)) ?? { texts: [] };
  const hunks: string[] = [];
  let same = 0;
  listed?.units.forEach((unit, at) => {
    const { state, since } = unit;
    const isOwn = model.noted.isOwn(unit);
    if (isOwn && state === 'same') same += 1;
    // What leads to the same text may take other lines away.
    else hunks.push(isOwn && since ? `@@ since it was seen @@\n${since}` : (texts[at] ?? ''));
  });
  return { hunks, same };
}

export function Since({ model, file, layout }: SinceProps) {
  // A diff is drawn again for other hunks.
  const { hunks, same } = useMemo(() => newsOf(model, file), [model, file]);
  return (
    <>
      {same > 0 && (
        <p class="since-note muted small">
          {same} {same === 1 ? 'part is' : 'parts are'} as you saw {same === 1 ? 'it' : 'them'} before.
        </p>
      )}
      {hunks.length > 0 ? (
        <Diff path={file.path} escaped="gate" head="" hunks={hunks} isSplit={layout === 'split'} />
      ) : (
        <p class="muted pad">Nothing in it is new since you looked.</p>
      )}
    </>
  );
}
