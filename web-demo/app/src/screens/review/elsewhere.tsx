// Pushes and bundles that another tab asks for, or asked for before it was closed.

import { Button, Empty } from '../../parts/bits.js';
import { askHere } from '../../state/again.js';
import { attempt } from '../../state/toast.js';
import { fromOthers } from '../../state/waits.js';

const what = (to: string): string => (to === 'upstream' ? 'push' : 'bundle');
const titled = (to: string): string => (to === 'upstream' ? 'Push' : 'Bundle');
const review = (key: string) => () => attempt(() => askHere(key));

export const FromOthers = () => (
  <>
    {fromOthers.value.map(({ key, to, isElsewhere }) =>
      isElsewhere ? (
        <span key={key} class="elsewhere small muted">
          <strong>{titled(to)}</strong> Open in another tab
        </span>
      ) : (
        <Button key={key} kind="quiet" icon="gate" onClick={review(key)}>
          Review the {what(to)}
        </Button>
      ),
    )}
  </>
);

/** Instead of a review, if nothing else waits. */
export function Elsewhere() {
  const free = fromOthers.value.find(({ isElsewhere }) => !isElsewhere);
  const [first] = fromOthers.value;
  const name = what((free ?? first)?.to ?? '');
  if (!free) {
    return (
      <Empty icon="gate" title="Open in another tab">
        <p>Decide about the {name} there. If you close that tab, you can review it here.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="gate" title={`A ${name} waits for you`}>
      <p>The tab that asked for it is closed.</p>
      <Button kind="primary" icon="gate" onClick={review(free.key)}>
        Review it
      </Button>
    </Empty>
  );
}
