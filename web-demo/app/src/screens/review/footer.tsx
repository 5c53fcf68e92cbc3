import { Button } from '../../parts/bits.js';
import type { ReviewProps } from './acts.js';
import type { ReviewModel } from './model.js';

function why(model: ReviewModel, busy: string | undefined): string {
  const high = model.unopenedHigh.value.length;
  const left = model.unopened.value.length;
  const out = model.out.value.size;
  const open = model.noted.open.value.filter(({ weight }) => weight === 'must').length;
  if (busy) return `${busy}…`;
  if (model.isRevised.value) {
    const parts = [
      out > 0 && `${out} ${out === 1 ? 'file' : 'files'} left out or cut`,
      model.message.value !== undefined && 'message edited',
      model.upto.value !== undefined && 'later commits left out',
    ];
    return `${parts.filter(Boolean).join(', ')}: create the revision, then review it`;
  }
  if (high > 0) return `Open ${high === 1 ? 'the high-risk file' : `${high} high-risk files`} before you approve`;
  if (left > 0) return `${left} ${left === 1 ? 'file is' : 'files are'} unopened`;
  return open > 0 ? `${open} ${open === 1 ? 'comment asks' : 'comments ask'} for an answer` : '';
}

/** What prevents an approval, with a way to resolve it, or the progress of the review. */
function Why({ model, acts, busy, needsToken }: ReviewProps) {
  const reason = why(model, busy);
  if (busy !== undefined || model.isRevised.value) return <>{reason}</>;
  return (
    <>
      {reason && (
        <button type="button" class="link" onClick={() => model.openNext()} title="Open the next one (n)">
          {reason}
        </button>
      )}
      {needsToken && (
        <>
          {reason && '. '}GitHub needs your token for this push.{' '}
          <button type="button" class="link" onClick={acts.token}>
            Add token…
          </button>
        </>
      )}
    </>
  );
}

export function Footer(props: ReviewProps) {
  const { model, acts, busy } = props;
  const isBlocked = model.unopenedHigh.value.length > 0;
  const left = model.unopened.value.length;
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
      <Button kind="quiet" keys="M" onClick={acts.message}>
        Message…
      </Button>
      <Button keys="R" isDisabled={busy !== undefined} onClick={acts.reject}>
        Reject…
      </Button>
      {model.canComment.value && (
        <Button keys="Shift+R" isDisabled={busy !== undefined} onClick={acts.askChanges}>
          Ask for changes…
        </Button>
      )}
      {model.isRevised.value ? (
        <Button kind="primary" keys="E" isDisabled={busy !== undefined} onClick={acts.revise}>
          Create revision
        </Button>
      ) : left > 0 && !isBlocked ? (
        <Button keys="A" isDisabled={isOff} title={reason} onClick={acts.approve}>
          Approve with {left} unopened…
        </Button>
      ) : (
        <Button kind="primary" icon="check" keys="A" isDisabled={isOff} title={reason} onClick={acts.approve}>
          Approve
        </Button>
      )}
    </footer>
  );
}
