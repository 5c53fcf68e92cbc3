// All that waits, where that is more than what is on the screen.

import type { Waiting } from 'gitgate';

import { day } from '../../parts/bits.js';
import { Plain } from '../../parts/plain.js';
import { running, steps } from '../../state/agent.js';
import { live } from '../../state/live.js';
import { currentName, link, route } from '../../state/route.js';
import { waiting } from '../../state/session.js';

/** Whether it is the call that the agent makes right now, which waits as it is asked about. */
function isMade({ tool, arguments: args }: Waiting): boolean {
  const now = running.value && steps.value.at(-1);
  return now !== undefined && now.tool === tool && plain(now.args) === plain(args);
}

/** The same for two ways to write it. */
const plain = (json: string): string => JSON.stringify(JSON.parse(json));

export function Queue() {
  const name = currentName.value ?? '';
  const now = route.value.rest || 'live';
  const asked = live.value ? [{ id: 'live', tool: 'what is asked now', when: '' }] : [];
  const rest = waiting.value
    .filter((one) => !(live.value && isMade(one)))
    .map(({ id, tool, at }) => ({ id, tool, when: day(at * 1000) }));
  const all = [...asked, ...rest];
  if (all.length < 2) return null;
  return (
    <nav class="bar-row queue" aria-label="Waiting for you">
      {all.map(({ id, tool, when }) => (
        <a
          key={id}
          class={`button ${id === now ? 'on' : 'quiet'}`}
          href={link(name, 'review', id)}
          aria-current={id === now ? 'page' : undefined}
        >
          <Plain text={tool} mono />
          <span class="small muted">{when}</span>
        </a>
      ))}
    </nav>
  );
}
