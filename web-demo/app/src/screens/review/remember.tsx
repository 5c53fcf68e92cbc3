import type { Signal } from '@preact/signals';
import type { Offer } from 'gitgate';

import { Plain } from '../../parts/plain.js';

/** The rule that a person may save with an approval, in the form it is saved. */
export function Remember({ offer, isOn }: { offer: Offer; isOn: Signal<boolean> }) {
  return (
    <section class="remember" aria-label="Rule to remember">
      <label class="check">
        <input type="checkbox" checked={isOn} onChange={(event) => (isOn.value = event.currentTarget.checked)} />
        Do not ask again: approve, and save this rule
      </label>
      <pre class="code-head" tabIndex={0} aria-label="The rule">
        <Plain text={offer.rule.trim()} clip={false} />
      </pre>
      <p class="muted small">
        It is saved in <Plain text={offer.place} mono />, and the audit log says so.
      </p>
    </section>
  );
}
