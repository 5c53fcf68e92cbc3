// One commit of a push by itself. What leaves is the whole push, so nothing is left out or marked here.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PatchFile } from 'gitgate';

import { Button, Empty, Status } from '../../parts/bits.js';
import { Diff } from '../../parts/diff/diff.js';
import { apart } from '../../parts/diff/patch.js';
import type { Layout } from '../../parts/layout-switch.js';
import { Name, Plain } from '../../parts/plain.js';
import type { ReviewModel } from './model.js';

function File({ file, layout }: { file: PatchFile; layout: Layout }) {
  // A diff is drawn again for other hunks.
  const { head, hunks } = useMemo(() => apart(file.head, file.hunks), [file]);
  return <Diff path={file.path} escaped="gate" head={head} hunks={hunks} isSplit={layout === 'split'} />;
}

export function Step({ model, step, layout }: { model: ReviewModel; step: number; layout: Layout }) {
  const { commits = [] } = model.asked.value?.push?.review ?? {};
  const files = model.asked.value?.steps?.[step] ?? [];
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [step]);
  const commit = commits[step];
  const file = files[at];
  if (!commit) return null;
  const isLast = step === commits.length - 1;
  return (
    <section class="review-content step-view" aria-label="Changes of a commit">
      <div class="bar-row">
        <span class="mono small">{commit.id.slice(0, 8)}</span>
        <Plain text={commit.subject} />
        <span class="grow" />
        <span class="muted small">
          commit {step + 1} of {commits.length}
        </span>
        <Button kind="quiet" keys="{" isDisabled={step === 0} onClick={() => model.stepTo(step - 1)}>
          Previous
        </Button>
        <Button kind="quiet" keys="}" isDisabled={isLast} onClick={() => model.stepTo(step + 1)}>
          Next
        </Button>
        {!isLast && (
          <Button title="Only this commit and those before it leave" onClick={() => model.leaveAfter(commit.id)}>
            Push only up to here
          </Button>
        )}
        <Button onClick={() => model.stepTo(undefined)}>Whole push</Button>
      </div>
      <div class="bar-row step-files" role="group" aria-label="Files of the commit">
        {files.map((one, index) => (
          <button
            type="button"
            key={index}
            class={`button ${index === at ? 'on' : 'quiet'}`}
            aria-pressed={index === at}
            onClick={() => setAt(index)}
          >
            <Status of={one.letter} />
            <Name text={one.path} mono />
          </button>
        ))}
      </div>
      {file ? (
        <File key={`${step} ${at}`} file={file} layout={layout} />
      ) : (
        <Empty icon="file" title="No file changes">
          The commit changes only its message, or brings in another branch.
        </Empty>
      )}
    </section>
  );
}
