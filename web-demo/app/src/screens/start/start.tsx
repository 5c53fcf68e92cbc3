import { useEffect } from 'preact/hooks';

import { Button } from '../../parts/bits.js';
import { Corner } from '../../parts/corner.js';
import { Icon } from '../../parts/icon.js';
import { isNarrow } from '../../parts/narrow.js';
import { script } from '../../state/agent.js';
import { create } from '../../state/create.js';
import { free } from '../../state/free.js';
import { hasOpfs, inMemory, names, refresh } from '../../state/meta.js';
import { remotes } from '../../state/remote.js';
import { goConnect, link } from '../../state/route.js';
import { SAMPLE } from '../../state/sample.js';
import { attempt } from '../../state/toast.js';
import { dropping, isOver } from './drop.js';
import { Loop } from './loop.js';
import { New } from './new.js';
import { Row } from './row.js';

const all = (): string[] => [...(names.value ?? []), ...inMemory.value, ...remotes.value.keys()];

async function playSample(): Promise<void> {
  const name = free('sample', all());
  await create(name, { origin: 'the sample' });
  script.value = SAMPLE;
  location.hash = link(name, 'agent');
}

const Sample = () => (
  <Button icon="play" onClick={() => attempt(playSample)}>
    Open the sample
  </Button>
);

function NoStorage() {
  if (hasOpfs.value !== false) return null;
  return (
    <p class="banner" role="status">
      This browser gives the page no storage, as in a private window. Sandboxes stay in memory, and closing the tab
      deletes them.
    </p>
  );
}

/** First-time visitors see an introduction. */
function First() {
  return (
    <>
      <div class="hero">
        <h1>Let the agent work. Nothing leaves until you approve the diff.</h1>
        <p class="muted">A sandbox for AI agents whose only door is git, sealed in this page.</p>
        <Sample />
      </div>
      <NoStorage />
      {/* On a phone the picture is as long as the screen. */}
      {isNarrow.value ? [<New key="new" />, <Loop key="loop" />] : [<Loop key="loop" />, <New key="new" />]}
    </>
  );
}

function Again({ sandboxes }: { sandboxes: string[] }) {
  return (
    <>
      <NoStorage />
      <div class="start-columns">
        <section aria-labelledby="here" class="here">
          <div class="here-head">
            <h1 id="here" class="grow">
              Sandboxes
            </h1>
            <Sample />
          </div>
          <ul class="sandboxes">
            {sandboxes.map((name) => (
              <Row key={name} name={name} />
            ))}
          </ul>
        </section>
        <New />
      </div>
      <Loop />
    </>
  );
}

export function Start() {
  useEffect(() => attempt(refresh), []);
  const sandboxes = all();
  return (
    <div class="start" {...dropping}>
      <header class="top">
        <Icon name="gate" />
        <strong>gitgate</strong>
        <span class="grow" />
        <Button kind="quiet" icon="agent" title="Connect your agent (g k)" onClick={goConnect}>
          Connect your agent
        </Button>
        <Corner hasRoom={!isNarrow.value} />
      </header>
      <main>{sandboxes.length > 0 ? <Again sandboxes={sandboxes} /> : names.value && <First />}</main>
      {isOver.value && <div class="drop-over">Drop a folder or a .bundle file</div>}
    </div>
  );
}
