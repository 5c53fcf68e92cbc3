// What is new in a file since the person looked: new parts, and of mended ones the difference to what was seen.

import { Diff } from '../../parts/diff/diff.js';
import type { Layout } from '../../parts/layout-switch.js';
import type { ReviewFile, ReviewModel } from './model.js';

interface SinceProps {
  model: ReviewModel;
  file: ReviewFile;
  layout: Layout;
}

export function Since({ model, file, layout }: SinceProps) {
  const parts = file.listed === undefined ? undefined : model.partsOf(file.listed);
  if (!parts) return null;
  const { listed, texts } = parts;
  const hunks: string[] = [];
  let [same, around] = [0, 0];
  listed.units.forEach(({ state, since }, at) => {
    const text = texts[at] ?? '';
    if (state === 'new') hunks.push(text);
    else if (state === 'same') same += 1;
    else if (since) hunks.push(`@@ since it was seen @@\n${since}`);
    else around += 1;
  });
  const note = [
    same > 0 && `${same} ${same === 1 ? 'part is' : 'parts are'} as seen before`,
    around > 0 && `around ${around} ${around === 1 ? 'part' : 'parts'} the file has changed`,
  ].filter(Boolean);
  return (
    <>
      {note.length > 0 && <p class="since-note muted small">{note.join('; ')}.</p>}
      {hunks.length > 0 ? (
        <Diff path={file.path} escaped="gate" head="" hunks={hunks} isSplit={layout === 'split'} />
      ) : (
        <p class="muted pad">Nothing in it is new since you looked.</p>
      )}
    </>
  );
}
