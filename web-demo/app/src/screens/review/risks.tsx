import type { Risk } from 'gitgate';

import { Plain } from '../../parts/plain.js';

function Sentence({ risk, go }: { risk: Risk; go: (() => void) | undefined }) {
  if (!go) return <Plain text={risk.sentence} clip={false} />;
  return (
    <button type="button" class="link" onClick={go} title="Open the file">
      <Plain text={risk.sentence} clip={false} />
    </button>
  );
}

const TONES = { high: 'danger', medium: 'warning', low: '' };

interface RisksProps {
  risks: Risk[];
  label: string;
  look: string;
  /** Leads to the subject of a risk, if it is out of sight. */
  open?: (risk: Risk) => (() => void) | undefined;
}

export function Risks({ risks, label, look, open }: RisksProps) {
  if (risks.length === 0) return null;
  return (
    <ul class={look} aria-label={label} tabIndex={0}>
      {risks.map((risk, at) => (
        <li key={at}>
          <span class={`tag ${TONES[risk.severity]}`}>{risk.severity}</span>
          <Sentence risk={risk} go={open?.(risk)} />
        </li>
      ))}
    </ul>
  );
}
