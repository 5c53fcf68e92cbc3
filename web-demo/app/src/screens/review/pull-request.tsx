import { Busy, Trouble } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { ended } from '../../state/live.js';
import { propose, proposal } from '../../state/pull-request.js';

/** The pull request of the push that has landed, if one was asked for. */
export function PullRequest() {
  const one = proposal.value;
  // An agent's push that has ended since has none.
  if (!one || !ended.value?.where?.isProposed) return null;
  if (one.state === 'opening') return <Busy what="Opening a pull request" />;
  if (one.state === 'failed') return <Trouble {...one.problem} retry={() => void propose(one)} />;
  return (
    <p>
      <a class="button primary" href={one.address} target="_blank" rel="noopener noreferrer">
        <Icon name="branch" />
        <span>View pull request #{one.number}</span>
      </a>
    </p>
  );
}
