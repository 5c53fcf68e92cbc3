import { Busy, Trouble } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { ended } from '../../state/live.js';
import { propose, proposal } from '../../state/pull-request.js';

/** The pull request of the landed push, if one was requested. */
export function PullRequest() {
  const one = proposal.value;
  // If an agent's push ended since, it has none.
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
