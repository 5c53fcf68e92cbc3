import { useEffect } from 'preact/hooks';

import { Busy, Button, Empty, Trouble } from '../../parts/bits.js';
import { Plain } from '../../parts/plain.js';
import { ended } from '../../state/live.js';
import { pushing } from '../../state/push.js';
import { running } from '../../state/agent.js';
import { asked, busy, fetchReview, files, opened, question, reviewProblem, risks, select, selected } from '../../state/review.js';
import { go, route } from '../../state/route.js';
import { progress } from '../../state/session.js';
import { attempt } from '../../state/toast.js';
import { CallReview } from './call.js';
import { Content } from './content.js';
import { Footer } from './footer.js';
import { Outcome } from './outcome.js';
import { Side } from './side.js';

const LIVE = 'live';

function High() {
  const high = risks.value.filter((risk) => risk.severity === 'high');
  if (high.length === 0) return null;
  return (
    <ul class="high-risks" aria-label="High risks">
      {high.map((risk, at) => (
        <li key={at}>
          <span class="tag danger">high</span>
          <Plain text={risk.sentence} clip={false} />
        </li>
      ))}
    </ul>
  );
}

function Target() {
  const push = asked.value?.push;
  if (!push) return null;
  const isBundle = push.target.startsWith('bare:/exports/');
  return (
    <div class="bar-row">
      <strong>{isBundle ? 'Bundle to download' : 'Push'}</strong>
      <span class="muted">to</span>
      <Plain text={isBundle ? push.target.slice(14) : push.target} mono />
      <span class="muted">branch</span>
      <Plain text={push.branch} mono />
      <span class="grow" />
      <span class="muted small mono digest" title={`Digest ${push.digest}: what an approval names`}>
        {push.digest.slice(0, 12)}
      </span>
    </div>
  );
}

function Nothing() {
  const work = pushing.value;
  if (busy.value || work || running.value) {
    return <Busy what={progress.value.at(-1) ?? busy.value ?? 'Preparing the review'} {...(work && { stop: () => work.abort() })} />;
  }
  return (
    <Empty icon="check" title="Nothing waits for you">
      <p>What an agent wants to send, and what you want to push, is reviewed here.</p>
      <Button kind="primary" icon="commit" onClick={() => go('commits')}>
        To the commits
      </Button>
    </Empty>
  );
}

export function Review() {
  const id = route.value.rest;
  useEffect(() => attempt(() => fetchReview(id === LIVE || id === '' ? undefined : id)), [id]);
  const digest = asked.value?.push?.digest;
  // The first file is in sight, so it has been opened.
  useEffect(() => {
    const first = files.value[selected.value];
    if (first && !opened.value.has(first.key)) select(selected.value);
  }, [digest]);
  const wrong = reviewProblem.value;
  if (wrong) {
    return (
      <div class="pad">
        <Trouble message={wrong.message} hint={wrong.hint} retry={() => attempt(() => fetchReview(id))} />
      </div>
    );
  }
  if (!question.value) return ended.value && !busy.value ? <Outcome /> : <Nothing />;
  if (question.value.about === 'call') return <CallReview call={question.value.call} />;
  return (
    <div class="review">
      <Target />
      <High />
      <div class="review-panes">
        <Side />
        <Content />
      </div>
      <Footer />
    </div>
  );
}
