import { Button } from '../../parts/bits.js';
import { judge } from '../../state/judge.js';
import { busy, isRevised, message, out, risks, unopened } from '../../state/review.js';

function why(): string {
  const left = unopened.value.length;
  if (busy.value) return `${busy.value}…`;
  if (isRevised.value) {
    const parts = [out.value.size > 0 && `${out.value.size} left out`, message.value !== undefined && 'message edited'];
    return `${parts.filter(Boolean).join(', ')}: make the revision, and review that`;
  }
  if (left > 0) return `Open ${left === 1 ? 'the high-risk file' : `${left} high-risk files`} before you approve`;
  const low = risks.value.filter(({ severity }) => severity !== 'high').length;
  return low > 0 ? `${low} smaller ${low === 1 ? 'risk' : 'risks'} at the files` : '';
}

export function Footer() {
  const isOff = busy.value !== undefined || isRevised.value || unopened.value.length > 0;
  const reason = why();
  return (
    <footer class="verdict">
      <span id="why" class={unopened.value.length > 0 ? 'why danger-text' : 'why muted'} role="status">
        {reason}
      </span>
      <Button kind="quiet" keys="l" onClick={judge.later}>
        Later
      </Button>
      <Button kind="quiet" keys="m" onClick={judge.message}>
        Message…
      </Button>
      {isRevised.value && (
        <Button kind="primary" keys="e" onClick={judge.revise}>
          Revise
        </Button>
      )}
      <Button keys="r" onClick={judge.reject}>
        Reject…
      </Button>
      <Button kind="primary" icon="check" keys="a" isDisabled={isOff} title={reason} onClick={judge.approve}>
        Approve
      </Button>
    </footer>
  );
}
