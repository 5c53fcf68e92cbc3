// The review of a push, whoever asks and wherever it is shown.

import type { Risk } from 'gitgate';
import { useEffect } from 'preact/hooks';

import { isNarrow } from '../../parts/narrow.js';
import type { ReviewProps } from './acts.js';
import { Content } from './content.js';
import { Destination } from './destination.js';
import { Footer } from './footer.js';
import type { ReviewModel } from './model.js';
import { Remember } from './remember.js';
import { Risks } from './risks.js';
import { Side } from './side.js';

function Target(props: ReviewProps) {
  const push = props.model.asked.value?.push;
  if (!push) return null;
  return (
    <div class="bar-row review-target">
      <Destination {...props} />
      <span class="grow" />
      <span class="muted small mono digest" title={`Digest ${push.digest}: what an approval names`}>
        digest {push.digest.slice(0, 12)}
      </span>
    </div>
  );
}

/** Where there is one column, it has the files or the changes of one. */
function Tabs({ model }: { model: ReviewModel }) {
  const count = model.files.value.length;
  const isList = model.isList.value;
  return (
    <div class="review-tabs segments" role="group" aria-label="What is shown">
      <button type="button" aria-pressed={isList} onClick={() => (model.isList.value = true)}>
        Commits, {count} {count === 1 ? 'file' : 'files'}
      </button>
      <button type="button" aria-pressed={!isList} onClick={() => (model.isList.value = false)}>
        Changes
      </button>
    </div>
  );
}

export function ReviewPane(props: ReviewProps) {
  const { model } = props;
  const isList = model.isList.value;
  const isHidden = isNarrow.value && isList;
  const offer = model.asked.value?.offer;
  const digest = model.asked.value?.push?.digest;
  useEffect(() => {
    if (!isHidden) model.see();
  }, [digest, isHidden, model.selected.value]);
  const high = model.risks.value.filter(({ severity }) => severity === 'high');
  const open = (risk: Risk) => {
    const at = model.files.value.findIndex(({ risks }) => risks.includes(risk));
    return at < 0 ? undefined : () => model.open(at);
  };
  return (
    <div class={isHidden || !isNarrow.value ? 'review' : 'review one-file'}>
      <Target {...props} />
      <Risks risks={high} label="High risks" look="high-risks" open={open} />
      <Tabs model={model} />
      <div class={`review-panes ${isList ? 'has-list' : ''}`}>
        <Side model={model} />
        <Content {...props} />
      </div>
      {offer && !model.isRevised.value && <Remember offer={offer} isOn={model.remember} />}
      <Footer {...props} />
    </div>
  );
}
