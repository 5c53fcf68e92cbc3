import type { Risk } from 'gitgate';

import { Plain } from '../../parts/plain.js';

const TONES = { high: 'danger', medium: 'warning', low: '' };

export function Risks({ risks, label, look }: { risks: Risk[]; label: string; look: string }) {
  if (risks.length === 0) return null;
  return (
    <ul class={look} aria-label={label} tabIndex={0}>
      {risks.map((risk, at) => (
        <li key={at}>
          <span class={`tag ${TONES[risk.severity]}`}>{risk.severity}</span>
          <Plain text={risk.sentence} clip={false} />
        </li>
      ))}
    </ul>
  );
}
