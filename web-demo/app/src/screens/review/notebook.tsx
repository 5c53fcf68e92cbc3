// A notebook as its cells. What leaves is the file, which its text shows whole.

import { Loaded } from '../../parts/loaded.js';
import { Diff } from '../../parts/diff/diff.js';
import type { Layout } from '../../parts/layout-switch.js';
import { cellsOf, compareCells } from '../../parts/notebook.js';
import type { CellChange } from '../../parts/notebook.js';
import { textOf } from '../../state/blob.js';
import type { ReviewFile } from './model.js';

async function load({ change }: ReviewFile): Promise<CellChange[] | null> {
  const [old, fresh] = await Promise.all(
    [change.old, change.new].map(async (side) => (side ? cellsOf((await textOf(side.id)) ?? '') : [])),
  );
  return old && fresh ? compareCells(old, fresh) : null;
}

function Cell({ cell, path, isSplit }: { cell: CellChange; path: string; isSplit: boolean }) {
  const { kind, at, state, hunks, hasOtherOutputs } = cell;
  // A cell has the language of its kind.
  const named = kind === 'code' ? `${path}.py` : `${path}.md`;
  return (
    <section class="cell" aria-label={`Cell ${at}, ${state}`}>
      <h3 class="small">
        <span class="muted">
          {kind} cell {at}
        </span>{' '}
        <span class={state === 'gone' ? 'tag danger' : 'tag accent'}>{state}</span>
        {hasOtherOutputs && <span class="tag">other outputs</span>}
      </h3>
      {hunks.length > 0 && (
        <div class="cell-code">
          <Diff path={named} escaped={undefined} head="" hunks={hunks} isSplit={isSplit} />
        </div>
      )}
    </section>
  );
}

export function Notebook({ file, layout }: { file: ReviewFile; layout: Layout }) {
  return (
    <div class="scroll cells" tabIndex={0} role="group" aria-label="Cells">
      <Loaded load={() => load(file)} by={[file.key]} what="Reading the notebook">
        {(found) => {
          if (!found) return <p class="muted pad">It cannot be read as a notebook. Its text shows what changes.</p>;
          const shown = found.filter(({ state }) => state !== 'same');
          const rest = found.length - shown.length;
          return (
            <>
              {shown.map((cell) => (
                <Cell key={`${cell.state} ${cell.at}`} cell={cell} path={file.path} isSplit={layout === 'split'} />
              ))}
              <p class="muted small pad">
                {rest} unchanged {rest === 1 ? 'cell' : 'cells'}. What is printed, and other data of the notebook, is in
                its text.
              </p>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
