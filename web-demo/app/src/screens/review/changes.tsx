// The changes of a file: its patch, its differences from the old file, or two images.

import { useEffect, useMemo, useState } from 'preact/hooks';

import type { Choice } from '../../parts/diff/box.js';
import { withoutBlanks } from '../../parts/diff/blanks.js';
import { Diff } from '../../parts/diff/diff.js';
import type { Picks } from '../../parts/diff/picks.js';
import { widened } from '../../parts/diff/widen.js';
import type { Layout } from '../../parts/layout-switch.js';
import { Name } from '../../parts/plain.js';
import { PicturePair } from '../../parts/pictures.js';
import { textOf } from '../../state/blob.js';
import { pictureOf, pictureType } from '../../state/picture.js';
import { fail, note } from '../../state/toast.js';
import type { ReviewFile } from './model.js';
import type { Renamed } from './renamed.js';
import type { View } from './view-bar.js';

const NONE: string[] = [];

interface ChangesProps {
  file: ReviewFile;
  renamed: Renamed | undefined;
  layout: Layout;
  choice: Choice | undefined;
  picks: Picks | undefined;
  at: { side: 'old' | 'new'; line: number } | undefined;
  view: View;
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

/** The lines of the new file, once somebody wants to see more of it. */
function useLines(file: ReviewFile, isWanted: boolean): string[] | undefined {
  const [lines, setLines] = useState<{ key: string; lines: string[] } | undefined>(undefined);
  const id = file.change.new?.id;
  useEffect(() => {
    if (!isWanted || id === undefined || lines?.key === file.key) return;
    textOf(id).then(
      (text) => {
        if (text === undefined) note('There is no more of this file to show: it is no text, or too large.');
        else setLines({ key: file.key, lines: text.replace(/\n$/, '').split('\n') });
      },
      (error: unknown) => fail(error),
    );
  }, [file.key, id, isWanted]);
  return lines?.key === file.key ? lines.lines : undefined;
}

/** The hunks as they are looked at. They keep their numbers. */
function useHunks(file: ReviewFile, hunks: string[], { hidesBlanks, context }: View): string[] {
  const lines = useLines(file, context > 0);
  return useMemo(() => {
    const wide = context > 0 && lines ? widened(hunks, lines, context) : hunks;
    return hidesBlanks ? wide.map(withoutBlanks) : wide;
  }, [hunks, lines, context, hidesBlanks]);
}

export function Changes({ file, renamed, layout, choice, picks, at, view }: ChangesProps) {
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const isWhole = renamed === undefined || whole === file.key;
  const { path, patch } = file;
  const hunks = useHunks(file, patch.hunks, view);
  const own = useHunks(file, renamed?.hunks ?? NONE, view);
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
          hunks={hunks}
          isSplit={isSplit}
          at={at}
          {...(choice && { choice })}
          {...(picks && { picks })}
        />
      ) : renamed.hunks.length > 0 ? (
        <Diff path={path} escaped="gate" head="" hunks={own} isSplit={isSplit} at={at} {...(picks && { picks })} />
      ) : (
        <p class="muted pad">Renamed without changes.</p>
      )}
    </>
  );
}
