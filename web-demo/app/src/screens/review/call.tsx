import type { Signal } from '@preact/signals';
import type { CallQuestion } from 'gitgate';

import { Button } from '../../parts/bits.js';
import { Plain } from '../../parts/plain.js';
import { judge } from '../../state/judge.js';
import { Remember } from './remember.js';

/** A call that stays inside the sandbox, and that the policy asks about. */
export function CallReview({ call, remember }: { call: CallQuestion; remember: Signal<boolean> }) {
  const tone = call.severity === 'high' ? 'danger' : call.severity === 'medium' ? 'warning' : '';
  return (
    <div class="review">
      <div class="bar-row">
        <strong class="mono">{call.tool}</strong>
        <span class={`tag ${tone}`}>{call.severity}</span>
        <Plain text={call.summary} />
      </div>
      <div class="scroll pad">
        {call.reasons.map((reason) => (
          <p key={reason}>
            <Plain text={reason} clip={false} />
          </p>
        ))}
        <pre class="code-head" tabIndex={0}>
          <Plain text={call.detail} clip={false} />
        </pre>
        {call.offer && <Remember offer={call.offer} isOn={remember} />}
      </div>
      <footer class="verdict">
        <span class="why muted">The call stays inside the sandbox.</span>
        <Button kind="quiet" keys="L" onClick={judge.later}>
          Later
        </Button>
        <Button keys="R" onClick={judge.reject}>
          Reject…
        </Button>
        <Button kind="primary" icon="check" keys="A" onClick={judge.approve}>
          Approve
        </Button>
      </footer>
    </div>
  );
}
