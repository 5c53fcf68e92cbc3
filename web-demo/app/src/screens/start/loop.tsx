// gitgate's purpose in one picture: a change on its way from the agent to the repository.

import type { ComponentChildren } from 'preact';

import { Icon } from '../../parts/icon.js';

const Scene = ({ children }: { children: ComponentChildren }) => (
  <svg class="scene" viewBox="0 0 160 88" aria-hidden="true">
    {children}
  </svg>
);

/** A robot at its files. */
const Works = () => (
  <Scene>
    <path class="line" d="M34 20v-8" />
    <circle class="dot" cx="34" cy="10" r="3" />
    <rect class="paper" x="12" y="20" width="44" height="36" rx="9" />
    <circle class="dot" cx="26" cy="37" r="3.5" />
    <circle class="dot" cx="42" cy="37" r="3.5" />
    <path class="line" d="M28 47h12M22 56v8M46 56v8M14 64h40" />
    <rect class="paper" x="72" y="12" width="76" height="64" rx="6" />
    <path class="rule" d="M72 26h76" />
    <circle class="rule-dot" cx="80" cy="19" r="2" />
    <circle class="rule-dot" cx="88" cy="19" r="2" />
    <path class="strong" d="M82 38h26" />
    <path class="faint" d="M114 38h22M82 49h14M102 49h28M82 60h34" />
    <path class="caret" d="M122 55v11" />
  </Scene>
);

/** Commits on a branch that approach the gate. */
const Proposes = () => (
  <Scene>
    <path class="faint" d="M10 66h52" />
    <circle class="knot" cx="20" cy="66" r="5" />
    <path class="strong" d="M24 62c10-10 10-26 24-26h34" />
    <circle class="knot new" cx="50" cy="36" r="6" />
    <circle class="knot new" cx="78" cy="36" r="6" />
    <path class="strong" d="M92 36h18M104 29l8 7-8 7" />
    <path class="line" d="M122 76V32l14-12 14 12v44M116 76h40" />
    <path class="line" d="M130 76V42h12v34" />
  </Scene>
);

/** A diff, and a hand to raise. */
const Reviews = () => (
  <Scene>
    <rect class="paper" x="16" y="8" width="104" height="72" rx="6" />
    <path class="faint" d="M28 21h40M28 69h52" />
    <rect class="minus" x="17" y="30" width="102" height="11" />
    <rect class="plus" x="17" y="41" width="102" height="11" />
    <rect class="plus" x="17" y="52" width="102" height="9" />
    <path class="minus-text" d="M24 35.5h5M36 35.5h48" />
    <path class="plus-text" d="M24 46.5h5M26.5 44v5M36 46.5h60M24 56.5h5M26.5 54v5M36 56.5h34" />
    <circle class="seal" cx="122" cy="62" r="17" />
    <path class="seal-mark" d="M114 62.5l6 6 11-12" />
  </Scene>
);

/** The branch at its destination, with the commits. */
const Lands = () => (
  <Scene>
    <path class="line" d="M10 60h134" />
    <circle class="knot" cx="22" cy="60" r="6" />
    <circle class="knot" cx="50" cy="60" r="6" />
    <circle class="knot landed" cx="84" cy="60" r="7" />
    <circle class="knot landed" cx="116" cy="60" r="7" />
    <rect class="flag-box" x="92" y="14" width="48" height="20" rx="10" />
    <path class="line" d="M116 34v18" />
    <path class="flag-text" d="M104 24h24" />
  </Scene>
);

const STEPS = [
  { Draw: Works, place: 'sealed', title: 'The agent works', text: 'It has files and git, and no network.' },
  { Draw: Proposes, place: 'sealed', title: 'It proposes a push', text: 'Its commits stop at the gate.' },
  { Draw: Reviews, place: 'you', title: 'You review the diff', text: 'Approve it, edit it, or reject it.' },
  { Draw: Lands, place: 'outside', title: 'It lands', text: 'Exactly what you approved.' },
];

export function Loop() {
  return (
    <section class="loop" aria-label="How it works">
      <ol>
        {STEPS.map(({ Draw, place, title, text }, at) => (
          <li key={title} class={`loop-step ${place}`}>
            {at === 0 && <span class="zone">Sealed sandbox</span>}
            {at === 2 && <span class="zone">You</span>}
            {at === 3 && <span class="zone">Your repository</span>}
            <Draw />
            <div>
              <strong>{title}</strong>
              <p class="muted small">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p class="loop-back muted small">
        <Icon name="undo" /> Rejected? The agent reads your reason and tries again.
      </p>
    </section>
  );
}
