import { useState } from 'preact/hooks';

import { Busy, Empty } from '../../parts/bits.js';
import { Failed, useLoaded } from '../../parts/loaded.js';
import { decisionsOf } from '../../state/decisions.js';
import type { Decision } from '../../state/decisions.js';
import { audit, loadAudit, loadCommits } from '../../state/repo.js';
import { changed } from '../../state/session.js';
import { DecisionRow } from './decision.js';

type Filter = 'All' | 'Pushes' | 'Calls' | 'Rejected';

const FITS: { [filter in Filter]: (one: Decision) => boolean } = {
  All: () => true,
  Pushes: ({ kind }) => kind === 'push' || kind === 'bundle',
  Calls: ({ kind }) => kind === 'call',
  Rejected: ({ isRejected }) => isRejected,
};
const FILTERS: Filter[] = ['All', 'Pushes', 'Calls', 'Rejected'];

function dayOf({ at }: Decision): string {
  if (at === 0) return 'Without a time';
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString()
    ? 'Today'
    : date.toLocaleDateString('en-GB', { dateStyle: 'full' });
}

function byDay(all: Decision[]): [day: string, of: Decision[]][] {
  const days = new Map<string, Decision[]>();
  for (const one of all) {
    const day = dayOf(one);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}

function Filters({ filter, choose }: { filter: Filter; choose: (filter: Filter) => void }) {
  return (
    <div class="bar-row">
      <div class="segments" role="group" aria-label="What is shown">
        {FILTERS.map((one) => (
          <button type="button" key={one} aria-pressed={filter === one} onClick={() => choose(one)}>
            {one}
          </button>
        ))}
      </div>
    </div>
  );
}

async function load(): Promise<void> {
  await loadAudit();
  await loadCommits();
}

export function Audit() {
  const [filter, setFilter] = useState<Filter>('All');
  const { wrong, retry } = useLoaded(load, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  if (audit.value === undefined) return <Busy what="Reading the log" />;
  const all = decisionsOf(audit.value);
  if (all.length === 0) {
    return (
      <Empty icon="check" title="No decisions yet">
        Each approval and rejection is kept here, with who decided and what became of it.
      </Empty>
    );
  }
  const shown = all.filter(FITS[filter]);
  return (
    <div class="column">
      <Filters filter={filter} choose={setFilter} />
      <div class="scroll column-rest" tabIndex={0} role="region" aria-label="Decisions">
        {shown.length === 0 && <p class="muted pad">There are none.</p>}
        {byDay(shown).map(([day, decisions]) => (
          <section key={day} class="audit-day">
            <h2 class="muted">{day}</h2>
            <ol>
              {decisions.map((one) => (
                <DecisionRow key={all.length - all.indexOf(one)} of={one} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </div>
  );
}
