// The review of a push, whoever asks and wherever it is shown.

import { useEffect } from 'preact/hooks';

import { Plain } from '../../parts/plain.js';
import type { ReviewProps } from './acts.js';
import { Content } from './content.js';
import { Footer } from './footer.js';
import type { ReviewModel } from './model.js';
import { Risks } from './risks.js';
import { Side } from './side.js';

const EXPORTS = 'bare:/exports/';

function Target({ model }: { model: ReviewModel }) {
  const push = model.asked.value?.push;
  if (!push) return null;
  const isBundle = push.target.startsWith(EXPORTS);
  return (
    <div class="bar-row review-target">
      <strong>{isBundle ? 'Bundle' : 'Push'}</strong>
      <span class="muted">to</span>
      <Plain text={isBundle ? 'a file of yours' : push.target.replace(/^github:/, '')} mono={!isBundle} />
      <span class="muted">branch</span>
      <Plain text={push.branch} mono />
      <span class="grow" />
      <span class="muted small mono digest" title={`Digest ${push.digest}: what an approval names`}>
        {push.digest.slice(0, 12)}
      </span>
    </div>
  );
}

export function ReviewPane(props: ReviewProps) {
  const { model } = props;
  const digest = model.asked.value?.push?.digest;
  // The first file is in sight, so it has been opened.
  useEffect(() => model.select(model.selected.value), [digest]);
  const high = model.risks.value.filter(({ severity }) => severity === 'high');
  return (
    <div class="review">
      <Target model={model} />
      <Risks risks={high} label="High risks" look="high-risks" />
      <div class="review-panes">
        <Side model={model} />
        <Content {...props} />
      </div>
      <Footer {...props} />
    </div>
  );
}
