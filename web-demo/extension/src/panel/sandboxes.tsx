import { Button } from '../../../app/src/parts/bits.js';
import { Plain } from '../../../app/src/parts/plain.js';
import { ask as askPerson } from '../../../app/src/state/dialog.js';
import { link } from '../../../app/src/state/route.js';
import { attempt } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';
import type { Waits } from '../common/kept.js';

async function remove(name: string): Promise<void> {
  const sure = await askPerson({
    title: 'Delete the sandbox?',
    body: `${name} and all that was not pushed is gone. Its agents lose it.`,
    action: 'Delete',
    isDangerous: true,
  });
  if (sure !== undefined) await ask('desk', 'remove', name);
}

export function Sandboxes({ names, waits }: { names: string[]; waits: Waits[] }) {
  return (
    <section aria-label="Sandboxes">
      <h2>Sandboxes</h2>
      {names.length === 0 && <p class="muted small">None yet.</p>}
      <ul>
        {names.map((name) => {
          const count = waits.filter(({ sandbox }) => sandbox === name).length;
          return (
            <li key={name} class="panel-row">
              <div class="grow">
                <Plain text={name} mono />
                {count > 0 && <span class="muted small"> {count} waiting</span>}
              </div>
              <a href={link(name, 'audit')}>Audit log</a>
              <Button kind="quiet" icon="cross" label={`Delete ${name}`} onClick={() => attempt(() => remove(name))} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
