import { useState } from 'preact/hooks';

import { Button } from '../../parts/bits.js';
import { Dialog } from '../../parts/dialogs.js';
import { Name } from '../../parts/plain.js';
import { choosing, isBranch, targetOf } from '../../state/destination.js';
import type { Choosing } from '../../state/destination.js';
import { metas } from '../../state/meta.js';
import { beginPush } from '../../state/push.js';
import { currentName } from '../../state/route.js';

const close = (): void => void (choosing.value = undefined);

function Choose({ now }: { now: Choosing }) {
  const [isNew, setNew] = useState(true);
  const [name, setName] = useState(now.fresh);
  const [isProposed, setProposed] = useState(true);
  // The page does not have a server's token.
  const canPropose = now.target.startsWith('github:') && metas.value[currentName.value ?? '']?.repo !== undefined;
  const branch = isNew ? name.trim() : now.branch;
  const target = isBranch(branch) ? targetOf(now.target, branch) : undefined;
  const push = (): void => {
    if (!target) return;
    close();
    beginPush('upstream', isNew ? { target, isProposed: canPropose && isProposed } : undefined);
  };
  return (
    <Dialog title="Choose where to push" close={close}>
      <h2>Choose where to push</h2>
      <p class="muted">
        <Name text={now.target.replace(/^github:/, '')} mono />
      </p>
      <form
        class="destination"
        onSubmit={(event) => {
          event.preventDefault();
          push();
        }}
      >
        <div class="segments" role="group" aria-label="Branch to push to">
          <button type="button" aria-pressed={!isNew} onClick={() => setNew(false)}>
            <Name text={now.branch} />
          </button>
          <button type="button" aria-pressed={isNew} onClick={() => setNew(true)}>
            Another branch
          </button>
        </div>
        <div class="destination-new" hidden={!isNew}>
          <label class="field">
            <span>Branch name</span>
            <input
              autofocus
              autocomplete="off"
              spellcheck={false}
              value={name}
              aria-invalid={isBranch(branch) ? undefined : 'true'}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            {isNew && !isBranch(branch) && (
              <span class="danger-text small">Git does not take this as a branch name</span>
            )}
          </label>
          {canPropose && (
            <label class="check">
              <input
                type="checkbox"
                checked={isProposed}
                onChange={(event) => setProposed(event.currentTarget.checked)}
              />
              Open a pull request
            </label>
          )}
          {canPropose && isProposed && (
            <p class="muted small">The token needs write access to pull requests as well.</p>
          )}
        </div>
        <footer>
          <Button onClick={close}>Cancel</Button>
          <button type="submit" class="button primary" aria-disabled={target ? undefined : 'true'}>
            <span>{now.isAsked ? 'Review again' : 'Review and push'}</span>
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export const DestinationDialog = () => choosing.value && <Choose now={choosing.value} />;
