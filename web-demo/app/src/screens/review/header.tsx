// One line about the push: destination, size, dangers, and the progress of the review.

import type { Risk } from 'gitgate';
import { useState } from 'preact/hooks';

import { Counts } from '../../parts/bits.js';
import { Copy } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import type { ReviewProps } from './acts.js';
import { Destination } from './destination.js';
import type { ReviewModel } from './model.js';
import { Risks } from './risks.js';

const count = (some: number, what: string): string => `${some} ${what}${some === 1 ? '' : 's'}`;

function Amount({ model }: { model: ReviewModel }) {
  const files = model.files.value;
  const commits = model.asked.value?.push?.review.commits.length ?? 0;
  const sum = (of: 'added' | 'deleted'): number => files.reduce((all, { change }) => all + change[of], 0);
  return (
    <span class="amount muted small">
      <span>{count(commits, 'commit')}</span>
      <span>{count(files.length, 'file')}</span>
      <Counts added={sum('added')} deleted={sum('deleted')} />
    </span>
  );
}

function Progress({ model }: { model: ReviewModel }) {
  const all = model.files.value.length;
  const opened = all - model.unopened.value.length;
  if (all === 0) return null;
  return (
    <span class="progress small muted" title="A file that was on the screen is opened">
      <progress max={all} value={opened} aria-label="Files opened" />
      {opened === all ? 'all opened' : `${opened} of ${all} opened`}
    </span>
  );
}

export function Header(props: ReviewProps) {
  const { model } = props;
  const push = model.asked.value?.push;
  const [hidden, setHidden] = useState<string | undefined>(undefined);
  const high = model.risks.value.filter(({ severity }) => severity === 'high');
  // Another push has its own.
  const isHidden = hidden !== undefined && hidden === push?.digest;
  const open = (risk: Risk) => {
    const at = model.files.value.findIndex(({ risks }) => risks.includes(risk));
    return at < 0 ? undefined : () => model.open(at);
  };
  return (
    <>
      <header class="review-head">
        <span class="where">
          <Destination {...props} />
        </span>
        <Amount model={model} />
        {high.length > 0 && (
          <button
            type="button"
            class="tag danger high-count"
            aria-expanded={!isHidden}
            aria-controls="high-risks"
            onClick={() => setHidden(isHidden ? undefined : push?.digest)}
          >
            <Icon name="warn" />
            {count(high.length, 'high risk')}
            <Icon name="chevron" />
          </button>
        )}
        <Progress model={model} />
        {push && (
          <span class="muted small digest" title={`Digest ${push.digest}: what an approval names`}>
            <Copy text={push.digest} label={`Copy the digest ${push.digest.slice(0, 12)}`}>
              <span class="mono">{push.digest.slice(0, 12)}</span>
            </Copy>
          </span>
        )}
      </header>
      <div id="high-risks" class="high" hidden={isHidden}>
        <Risks risks={high} label="High risks" look="high-risks" open={open} />
      </div>
    </>
  );
}
