import { Plain } from '../../../app/src/parts/plain.js';
import { day } from '../../../app/src/parts/bits.js';
import { link } from '../../../app/src/state/route.js';
import type { Waits } from '../common/kept.js';

export function Waiting({ waits }: { waits: Waits[] }) {
  return (
    <section aria-label="Waits for you">
      <h2>Waits for you {waits.length > 0 && <span class="count">{waits.length}</span>}</h2>
      {waits.length === 0 && <p class="muted small">Nothing.</p>}
      <ul>
        {waits.map(({ sandbox, id, tool, at, summary }) => (
          <li key={`${sandbox} ${id}`}>
            <a class="panel-row" href={link(sandbox, 'review', id)}>
              <div class="grow">
                <strong>{tool === 'git_push' ? 'A push' : <Plain text={tool} mono />}</strong> in{' '}
                <Plain text={sandbox} mono />
                {summary !== null && (
                  <div class="small">
                    <Plain text={summary} />
                  </div>
                )}
                <div class="muted small">{day(at * 1000)}</div>
              </div>
              <span class="button primary">Review</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
