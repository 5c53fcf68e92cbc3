// The review of a push, for every source and every place.

import { useLayoutEffect } from 'preact/hooks';

import { Divider } from '../../parts/divider.js';
import { isLookedAt } from '../../parts/looked-at.js';
import { isNarrow } from '../../parts/narrow.js';
import type { ReviewProps } from './acts.js';
import { Content } from './content.js';
import { Footer } from './footer.js';
import { Header } from './header.js';
import type { ReviewModel } from './model.js';
import { Remember } from './remember.js';
import { Side } from './side.js';
import { Step } from './step.js';

/** In a single column, it shows either the files or the changes of one. */
function Tabs({ model }: { model: ReviewModel }) {
  const isList = model.isList.value;
  return (
    <div class="review-tabs segments" role="group" aria-label="What is shown">
      <button type="button" aria-pressed={isList} onClick={() => (model.isList.value = true)}>
        Commits and files
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
  const step = model.step.value;
  const isHidden = (isNarrow.value && isList) || step !== undefined;
  const offer = model.asked.value?.offer;
  const digest = model.asked.value?.push?.digest;
  // Before the person can act on the current screen.
  useLayoutEffect(() => {
    if (!isHidden && isLookedAt.value) model.see();
  }, [digest, isHidden, isLookedAt.value, model.selected.value, model.isPartial.value]);
  return (
    <div class={isHidden || !isNarrow.value ? 'review' : 'review one-file'}>
      <Header {...props} />
      <Tabs model={model} />
      <div class={`review-panes ${isList ? 'has-list' : ''}`}>
        <Side {...props} />
        <Divider of="review" label="Width of the file list" />
        {step === undefined ? <Content {...props} /> : <Step model={model} step={step} layout={props.layout} />}
      </div>
      {offer && !model.isRevised.value && <Remember offer={offer} isOn={model.remember} />}
      <Footer {...props} />
    </div>
  );
}
