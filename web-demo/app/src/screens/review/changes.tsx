// The changes of a file: its patch, its differences from the old file, or two images.

import { useState } from 'preact/hooks';

import type { Choice } from '../../parts/diff/box.js';
import { Diff } from '../../parts/diff/diff.js';
import type { Layout } from '../../parts/layout-switch.js';
import { Name } from '../../parts/plain.js';
import { PicturePair } from '../../parts/pictures.js';
import { pictureOf, pictureType } from '../../state/picture.js';
import type { ReviewFile } from './model.js';
import type { Renamed } from './renamed.js';

interface ChangesProps {
  file: ReviewFile;
  renamed: Renamed | undefined;
  layout: Layout;
  choice: Choice | undefined;
}

function Images({ file: { path, change } }: { file: ReviewFile }) {
  const load = (id: string | undefined) => (id === undefined ? undefined : () => pictureOf(id, path));
  return (
    <PicturePair
      key={path}
      old={load(change.old?.id)}
      fresh={load(change.new?.id)}
      by={[change.old?.id, change.new?.id]}
    />
  );
}

/** The whole file leaves, whatever is visible of it. */
function Before({ renamed, isWhole, show }: { renamed: Renamed; isWhole: boolean; show: (isWhole: boolean) => void }) {
  return (
    <div class="bar-row renamed-from small">
      <span class="muted">Renamed from</span>
      <Name text={renamed.from} mono />
      <span class="tag">{renamed.similarity}% similar</span>
      <span class="grow" />
      <div class="segments" role="group" aria-label="What is shown of the file">
        {[false, true].map((whole) => (
          <button type="button" key={String(whole)} aria-pressed={isWhole === whole} onClick={() => show(whole)}>
            {whole ? 'Whole file' : 'Differences'}
          </button>
        ))}
      </div>
    </div>
  );
}

export function Changes({ file, renamed, layout, choice }: ChangesProps) {
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const isWhole = renamed === undefined || whole === file.key;
  const { path, patch } = file;
  const isSplit = layout === 'split';
  return (
    <>
      {renamed && <Before renamed={renamed} isWhole={isWhole} show={(all) => setWhole(all ? file.key : undefined)} />}
      {pictureType(path) !== undefined && <Images file={file} />}
      {isWhole ? (
        <Diff
          path={path}
          escaped="gate"
          head={patch.head}
          hunks={patch.hunks}
          isSplit={isSplit}
          {...(choice && { choice })}
        />
      ) : renamed.hunks.length > 0 ? (
        <Diff path={path} escaped="gate" head="" hunks={renamed.hunks} isSplit={isSplit} />
      ) : (
        <p class="muted pad">Renamed without changes.</p>
      )}
    </>
  );
}
