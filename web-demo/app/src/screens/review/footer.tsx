import { Button } from '../../parts/bits.js';
import type { ReviewProps } from './acts.js';
import type { ReviewModel } from './model.js';

function why(model: ReviewModel, busy: string | undefined): string {
  const left = model.unopened.value.length;
  const out = model.out.value.size;
  if (busy) return `${busy}…`;
  if (model.isRevised.value) {
    const parts = [
      out > 0 && `${out} ${out === 1 ? 'file' : 'files'} left out or cut`,
      model.message.value !== undefined && 'message edited',
    ];
    return `${parts.filter(Boolean).join(', ')}: make the revision, and review that`;
  }
  if (left > 0) return `Open ${left === 1 ? 'the high-risk file' : `${left} high-risk files`} before you approve`;
  const files = model.files.value;
  const seen = files.filter(({ key }) => model.marks.value.has(key)).length;
  return seen > 0 ? `${seen} of ${files.length} files reviewed` : '';
}

/** What stands in the way of an approval, with a way out of it, or how far the review is. */
function Why({ model, acts, busy, needsToken }: ReviewProps) {
  const reason = why(model, busy);
  if (busy !== undefined || model.isRevised.value) return <>{reason}</>;
  if (model.unopened.value.length > 0) {
    return (
      <button type="button" class="link" onClick={() => model.openHigh()} title="Open the next one (n)">
        {reason}
      </button>
    );
  }
  if (!needsToken) return <>{reason}</>;
  return (
    <>
      GitHub needs your token before this can land.{' '}
      <button type="button" class="link" onClick={acts.token}>
        Add token…
      </button>
    </>
  );
}

export function Footer(props: ReviewProps) {
  const { model, acts, busy } = props;
  const isBlocked = model.unopened.value.length > 0;
  const reason = why(model, busy);
  const isOff = busy !== undefined || isBlocked;
  return (
    <footer class="verdict">
      <span class={isBlocked && !model.isRevised.value ? 'why danger-text' : 'why muted'} role="status">
        <Why {...props} />
      </span>
      <Button kind="quiet" keys="L" onClick={acts.later}>
        Later
      </Button>
      {!model.isBundle.value && (
        <Button kind="quiet" keys="M" onClick={acts.message}>
          Message…
        </Button>
      )}
      <Button keys="R" isDisabled={busy !== undefined} onClick={acts.reject}>
        Reject…
      </Button>
      {model.isRevised.value ? (
        <Button kind="primary" keys="E" isDisabled={busy !== undefined} onClick={acts.revise}>
          Revise
        </Button>
      ) : (
        <Button kind="primary" icon="check" keys="A" isDisabled={isOff} title={reason} onClick={acts.approve}>
          Approve
        </Button>
      )}
    </footer>
  );
}
