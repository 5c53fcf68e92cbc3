// All waiting questions, if there are more than the one on the screen.

import { day } from '../../parts/bits.js';
import { Plain } from '../../parts/plain.js';
import { live } from '../../state/live.js';
import { currentName, link, route } from '../../state/route.js';
import { others } from '../../state/session.js';
import { fromOthers } from '../../state/waits.js';
import { FromOthers } from './elsewhere.js';

export function Queue() {
  const name = currentName.value ?? '';
  const now = route.value.rest || 'live';
  const asked = live.value ? [{ id: 'live', tool: 'what is asked now', when: '' }] : [];
  const rest = others.value.map(({ id, tool, at }) => ({ id, tool, when: day(at * 1000) }));
  const all = [...asked, ...rest];
  if (all.every(({ id }) => id === now) && (all.length === 0 || fromOthers.value.length === 0)) return null;
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
      <FromOthers />
    </nav>
  );
}
