import { useMemo } from 'preact/hooks';

import { Button, Counts, Empty } from '../../parts/bits.js';
import { Diff } from '../../parts/diff/diff.js';
import type { Choice } from '../../parts/diff/lines.js';
import { LayoutSwitch } from '../../parts/layout-switch.js';
import { Plain } from '../../parts/plain.js';
import { file, marks, out, toggleFile, toggleHunk, toggleMark } from '../../state/review.js';
import type { ReviewFile } from '../../state/review.js';

const mode = ({ change }: ReviewFile): string =>
  change.old && change.new && change.old.mode !== change.new.mode ? `${change.old.mode} → ${change.new.mode}` : '';

export function Content() {
  const now = file.value;
  const left = now && out.value.get(now.change.path);
  const choice = useMemo<Choice | undefined>(() => {
    if (!now || now.patch.hunks.length === 0) return undefined;
    const { path } = now.change;
    return {
      count: now.patch.hunks.length,
      isOut: (hunk) => left === 'all' || left?.has(hunk) === true,
      toggle: (hunk) => toggleHunk(path, hunk),
    };
  }, [now, left]);
  if (!now) return <Empty icon="file" title="No file changes">{'Only commits or a branch would leave.'}</Empty>;
  const isSeen = marks.value.has(now.key);
  return (
    <section class="review-content" aria-label="Changes">
      <div class="bar-row">
        <Plain text={now.patch.path} mono />
        <Counts added={now.change.added} deleted={now.change.deleted} />
        {mode(now) && <span class="tag">{mode(now)}</span>}
        <span class="grow" />
        <label class="check">
          <input type="checkbox" checked={left !== 'all'} onChange={() => toggleFile(now.change.path)} />
          Leaves
        </label>
        <LayoutSwitch />
        <Button icon="check" kind={isSeen ? 'primary' : 'quiet'} keys="v" onClick={() => toggleMark()}>
          Reviewed
        </Button>
      </div>
      {now.risks.length > 0 && (
        <ul class="file-risks" aria-label="Risks of this file">
          {now.risks.map((risk, at) => (
            <li key={at}>
              <span class={`tag ${risk.severity === 'high' ? 'danger' : risk.severity === 'medium' ? 'warning' : ''}`}>
                {risk.severity}
              </span>
              <Plain text={risk.sentence} clip={false} />
            </li>
          ))}
        </ul>
      )}
      <Diff path={now.patch.path} head={now.patch.head} hunks={now.patch.hunks} {...(choice && { choice })} />
    </section>
  );
}
