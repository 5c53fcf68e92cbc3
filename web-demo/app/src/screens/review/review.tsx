import { useEffect } from 'preact/hooks';

import { Busy, Button, Empty } from '../../parts/bits.js';
import { Failed } from '../../parts/loaded.js';
import { Lost } from '../../parts/lost.js';
import { ended } from '../../state/live.js';
import { judge } from '../../state/judge.js';
import { place } from '../../state/place.js';
import { layout } from '../../state/prefs.js';
import { pushing } from '../../state/push.js';
import { running } from '../../state/agent.js';
import {
  busy,
  changeDestination,
  fetchReview,
  isAnew,
  isOwn,
  model,
  isHereOnly,
  needsToken,
  question,
  reviewProblem,
} from '../../state/review.js';
import { route } from '../../state/route.js';
import { openWaiting } from '../../state/keys.js';
import { others, progress } from '../../state/session.js';
import { attempt } from '../../state/toast.js';
import { fromOthers, isComing } from '../../state/waits.js';
import { CallReview } from './call.js';
import { Elsewhere } from './elsewhere.js';
import { Outcome } from './outcome.js';
import { ReviewPane } from './pane.js';
import { Queue } from './queue.js';
import { Ways } from './ways.js';

const LIVE = 'live';

function Nothing() {
  const work = pushing.value;
  if (busy.value || work || running.value || isComing.value) {
    return (
      <Busy
        what={progress.value.at(-1) ?? busy.value ?? 'Preparing the review'}
        {...(work && { stop: () => work.abort() })}
      />
    );
  }
  // The question is over, or its page was left: then the call waits.
  const count = others.value.length;
  if (count > 0) {
    return (
      <Empty icon="gate" title={count === 1 ? 'A call waits for you' : `${count} calls wait for you`}>
        <Button kind="primary" icon="gate" keys="g w" onClick={openWaiting}>
          {count === 1 ? 'Review it' : 'Review the first'}
        </Button>
      </Empty>
    );
  }
  if (fromOthers.value.length > 0) return <Elsewhere />;
  return (
    <Empty icon="check" title="Nothing waits for you">
      <Lost />
      <p>What an agent wants to send{place.value.canPush && ', and what you want to push,'} is reviewed here.</p>
      <Ways />
    </Empty>
  );
}

function Asked() {
  const id = route.value.rest;
  useEffect(() => attempt(() => fetchReview(id === LIVE || id === '' ? undefined : id)), [id]);
  const wrong = reviewProblem.value;
  if (wrong) return <Failed wrong={wrong} retry={() => attempt(() => fetchReview(id))} />;
  if (!question.value) return ended.value && !busy.value ? <Outcome /> : <Nothing />;
  if (question.value.about === 'call') return <CallReview call={question.value.call} remember={model.remember} />;
  return (
    <ReviewPane
      model={model}
      acts={judge}
      busy={busy.value}
      changeDestination={isOwn.value ? changeDestination : undefined}
      needsToken={needsToken.value}
      layout={layout.value}
      onLayout={(to) => (layout.value = to)}
    />
  );
}

export function Review() {
  return (
    <div class="column">
      <Queue />
      {isHereOnly.value && (
        <p class="bar-row small muted">This review is open in this tab. It is kept until you decide.</p>
      )}
      {isAnew.value && (
        <p class="bar-row small anew" role="status">
          The sandbox has changed since you last looked at this review. Review it again.
        </p>
      )}
      <div class="column-rest">
        <Asked />
      </div>
    </div>
  );
}
