// A sandbox in the list, with its actions.

import { Button, day, size } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { Name, Plain } from '../../parts/plain.js';
import { ask } from '../../state/dialog.js';
import { unsaved } from '../../state/drafts.js';
import { disconnect, inMemory, metas, remove } from '../../state/meta.js';
import { hostOf } from '../../state/remote.js';
import { link } from '../../state/route.js';
import { fork } from '../../state/session.js';
import { attempt } from '../../state/toast.js';
import { forgetToken } from '../../state/token.js';
import { waitsIn } from '../../state/waits.js';

async function askFork(name: string): Promise<void> {
  const field = { label: 'Name', value: `${name}-copy`, isRequired: true };
  const body = 'The copy gets everything as it is now.';
  const to = await ask({ title: 'Copy sandbox', body, action: 'Copy', field });
  if (to !== undefined) await fork(name, to.trim());
}

async function askRemove(name: string): Promise<void> {
  const body = `You lose everything in '${name}' that has not been pushed or downloaded.`;
  const sure = await ask({ title: 'Delete sandbox?', body, action: 'Delete', isDangerous: true });
  if (sure === undefined) return;
  await remove(name);
  forgetToken(name);
}

async function askDisconnect(name: string): Promise<void> {
  const left = unsaved(name);
  const body = `You lose unsaved edits in ${left.join(', ')}.`;
  const title = 'Disconnect from the sandbox?';
  if (left.length > 0 && (await ask({ title, body, action: 'Disconnect', isDangerous: true })) === undefined) return;
  disconnect(name);
}

export function Row({ name }: { name: string }) {
  const meta = metas.value[name];
  const host = hostOf(name);
  const isLasting = host === undefined && !inMemory.value.includes(name);
  return (
    <li class="sandbox-row">
      <a href={link(name)}>
        <Icon name="gate" />
        <Name text={name} />
      </a>
      <span class="muted small facts">
        <Plain text={meta?.from ?? ''} />
        {meta && <span>{day(meta.created)}</span>}
        {meta?.files !== undefined && (
          <span>
            {meta.files} {meta.files === 1 ? 'file' : 'files'}, {size(meta.bytes ?? 0)}
          </span>
        )}
        {!isLasting && <span>{host === undefined ? 'in memory only' : 'connected until you close this page'}</span>}
        {unsaved(name).length > 0 && <span class="tag warning">{unsaved(name).length} unsaved</span>}
        {waitsIn(name) > 0 && <span class="tag warning">{waitsIn(name)} waiting</span>}
      </span>
      {host !== undefined && (
        <span class="row-actions">
          <Button kind="quiet" label={`Disconnect ${name}`} onClick={() => attempt(() => askDisconnect(name))}>
            Disconnect
          </Button>
        </span>
      )}
      {isLasting && (
        <span class="row-actions">
          <Button kind="quiet" label={`Copy ${name}`} onClick={() => attempt(() => askFork(name))}>
            Copy
          </Button>
          <Button kind="quiet" label={`Delete ${name}`} onClick={() => attempt(() => askRemove(name))}>
            Delete
          </Button>
        </span>
      )}
    </li>
  );
}
