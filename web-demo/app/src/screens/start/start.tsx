import { useEffect } from 'preact/hooks';

import { Button, Empty, day, size } from '../../parts/bits.js';
import { Corner } from '../../parts/corner.js';
import { Icon } from '../../parts/icon.js';
import { Name, Plain } from '../../parts/plain.js';
import { script } from '../../state/agent.js';
import { create } from '../../state/create.js';
import { ask } from '../../state/dialog.js';
import { unsaved } from '../../state/drafts.js';
import { disconnect, hasOpfs, inMemory, metas, names, refresh, remove } from '../../state/meta.js';
import { hostOf, remotes } from '../../state/remote.js';
import { link } from '../../state/route.js';
import { SAMPLE } from '../../state/sample.js';
import { fork } from '../../state/session.js';
import { attempt } from '../../state/toast.js';
import { forgetToken } from '../../state/token.js';
import { waitsIn } from '../../state/waits.js';
import { dropping } from './form.js';
import { New } from './new.js';

async function askFork(name: string): Promise<void> {
  const field = { label: 'Name of the copy', value: `${name}-copy`, isRequired: true };
  const to = await ask({
    title: 'Copy the sandbox',
    body: 'The copy has everything, as it is now.',
    action: 'Copy',
    field,
  });
  if (to !== undefined) await fork(name, to.trim());
}

async function askRemove(name: string): Promise<void> {
  const body = `Everything in '${name}' that has not been pushed or downloaded is lost.`;
  const sure = await ask({ title: 'Delete the sandbox?', body, action: 'Delete', isDangerous: true });
  if (sure === undefined) return;
  await remove(name);
  forgetToken(name);
}

async function askDisconnect(name: string): Promise<void> {
  const left = unsaved(name);
  const body = `What you typed and did not save is lost, in ${left.join(', ')}.`;
  const title = 'Disconnect from the sandbox?';
  if (left.length > 0 && (await ask({ title, body, action: 'Disconnect', isDangerous: true })) === undefined) return;
  disconnect(name);
}

async function playSample(): Promise<void> {
  await create('sample', { origin: 'the sample' });
  script.value = SAMPLE;
  location.hash = link('sample', 'agent');
}

function Row({ name }: { name: string }) {
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
            {meta.files} files, {size(meta.bytes ?? 0)}
          </span>
        )}
        {!isLasting && <span>{host === undefined ? 'in memory only' : 'until this page is closed'}</span>}
        {unsaved(name).length > 0 && <span class="tag warning">{unsaved(name).length} not saved</span>}
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

export function Start() {
  useEffect(() => attempt(refresh), []);
  const all = [...(names.value ?? []), ...inMemory.value, ...remotes.value.keys()];
  return (
    <div class="start" {...dropping}>
      <header class="top">
        <Icon name="gate" />
        <strong>gitgate</strong>
        <span class="grow" />
        <Corner hasRoom />
      </header>
      <main>
        <h1>Sandboxes</h1>
        <p class="muted">
          Git and file tools for an AI agent, sealed in this page. Nothing leaves before you have seen exactly what
          leaves.
        </p>
        {hasOpfs.value === false && (
          <p class="banner" role="status">
            This browser gives the page no storage, as in a private window. Sandboxes stay in memory and are lost when
            the tab is closed.
          </p>
        )}
        <div class="start-columns">
          <section aria-labelledby="here">
            <h2 id="here">In this browser</h2>
            {all.length > 0 && (
              <ul class="sandboxes">
                {all.map((name) => (
                  <Row key={name} name={name} />
                ))}
              </ul>
            )}
            {names.value && all.length === 0 && (
              <Empty icon="gate" title="No sandbox yet">
                <p>See the main job first: an agent works, asks to hand over its commits, and you review them.</p>
                <Button kind="primary" icon="play" onClick={() => attempt(playSample)}>
                  Open the sample
                </Button>
              </Empty>
            )}
          </section>
          <New />
        </div>
      </main>
    </div>
  );
}
