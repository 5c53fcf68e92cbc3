// How to connect a real agent, from the start page and from a sandbox.

import { signal } from '@preact/signals';

import { Button } from '../../parts/bits.js';
import { CopyBlock } from '../../parts/copy-block.js';
import { Corner } from '../../parts/corner.js';
import { remotes } from '../../state/remote.js';
import { currentName, goStart } from '../../state/route.js';
import { CLIENTS, CLIENT_NAMES } from './blocks.js';
import type { Client } from './blocks.js';
import { WAYS, WAY_NAMES, hasClients, steps } from './guides.js';
import type { Step, Way } from './guides.js';

const chosen = signal<Way | undefined>(undefined);
const client = signal<Client>('claude-code');

function Ways({ now }: { now: Way }) {
  return (
    <div class="ways" role="group" aria-label="Where the agent runs">
      {WAYS.map((way) => (
        <button type="button" key={way} aria-pressed={way === now} onClick={() => (chosen.value = way)}>
          <strong>{WAY_NAMES[way].title}</strong>
          <span class="muted small">{WAY_NAMES[way].text}</span>
        </button>
      ))}
    </div>
  );
}

const Clients = () => (
  <div class="segments" role="group" aria-label="Client">
    {CLIENTS.map((one) => (
      <button type="button" key={one} aria-pressed={client.value === one} onClick={() => (client.value = one)}>
        {CLIENT_NAMES[one]}
      </button>
    ))}
  </div>
);

const One = ({ step }: { step: Step }) => (
  <li class="connect-step">
    <div>
      <h2>{step.title}</h2>
      {step.text && <p class="muted">{step.text}</p>}
    </div>
    {step.blocks.map((block) => (
      <CopyBlock key={block.code} {...block} />
    ))}
  </li>
);

export function Connect() {
  const name = currentName.value;
  const url = name === undefined ? undefined : remotes.value.get(name)?.url.replace(/\/+$/, '');
  const way = chosen.value ?? (url === undefined ? 'native' : 'server');
  return (
    <div class="connect">
      <h1>Connect your agent</h1>
      <p class="muted">It works through gitgate’s tools in a sandbox. Nothing leaves until you approve the diff.</p>
      {name !== undefined && url === undefined && (
        <p class="banner">
          This sandbox lives in this browser, so programs outside cannot reach it. Connect your agent in one of these
          ways instead.
        </p>
      )}
      <Ways now={way} />
      {hasClients(way) && <Clients />}
      <ol class="connect-steps">
        {steps(way, client.value, url).map((step) => (
          <One key={step.title} step={step} />
        ))}
      </ol>
    </div>
  );
}

/** The same without an open sandbox. */
export const ConnectPage = () => (
  <div class="start">
    <header class="top">
      <Button kind="quiet" icon="gate" label="All sandboxes" title="All sandboxes (g s)" onClick={goStart} />
      <strong>gitgate</strong>
      <span class="grow" />
      <Corner hasRoom />
    </header>
    <main>
      <Connect />
    </main>
  </div>
);
