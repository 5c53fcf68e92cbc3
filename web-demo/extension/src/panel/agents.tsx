import { useState } from 'preact/hooks';

import { Button, day } from '../../../app/src/parts/bits.js';
import { Plain } from '../../../app/src/parts/plain.js';
import { attempt } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';
import type { Asking as One, Grant, State } from '../common/kept.js';

function Request({ one, sandboxes }: { one: One; sandboxes: string[] }) {
  // A card may appear at any time, even under the pointer, so nothing is preselected.
  const [chosen, setChosen] = useState('');
  const wished = sandboxes.find((name) => name === one.sandbox);
  const sandbox = sandboxes.includes(chosen) ? chosen : '';
  return (
    <li class="panel-card">
      <p>
        <strong>
          <Plain text={one.name} clip={false} />
        </strong>{' '}
        at <Plain text={one.agent} clip={false} mono /> asks to work in a sandbox.
      </p>
      {wished !== undefined && (
        <p class="muted small">
          It would like <Plain text={wished} clip={false} mono />.
        </p>
      )}
      {sandboxes.length === 0 ? (
        <p class="muted small">Make a sandbox below first.</p>
      ) : (
        <label class="field">
          <span>Sandbox</span>
          <select value={sandbox} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">Choose…</option>
            {sandboxes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <div class="buttons">
        <Button onClick={() => attempt(async () => void (await ask('desk', 'refuse', one.id)))}>Refuse</Button>
        <Button
          kind="primary"
          isDisabled={sandbox === ''}
          onClick={() => attempt(async () => void (await ask('desk', 'allow', { id: one.id, sandbox })))}
        >
          Allow
        </Button>
      </div>
    </li>
  );
}

export function Asking({ asking, sandboxes }: { asking: One[]; sandboxes: string[] }) {
  if (asking.length === 0) return null;
  return (
    <section aria-label="Agents that ask">
      <h2>Agents that ask</h2>
      <ul>
        {asking.map((one) => (
          <Request key={one.id} one={one} sandboxes={sandboxes} />
        ))}
      </ul>
    </section>
  );
}

export function Agents({ grants, here }: { grants: Grant[]; here: State['here'] }) {
  return (
    <section aria-label="Allowed agents">
      <h2>Allowed agents</h2>
      {grants.length === 0 && (
        <p class="muted small">None. An agent asks in its page, and you allow it here. It can never push by itself.</p>
      )}
      <ul>
        {grants.map(({ agent, sandbox, name, since }) => {
          const isHere = here.some((one) => one.agent === agent && one.sandbox === sandbox);
          return (
            <li key={`${agent} ${sandbox}`} class="panel-row">
              <div class="grow">
                <Plain text={name} /> <span class="tag">{isHere ? 'connected' : 'not connected'}</span>
                <div class="muted small">
                  <Plain text={agent} clip={false} mono /> in <Plain text={sandbox} clip={false} mono />, since{' '}
                  {day(since)}
                </div>
              </div>
              <Button
                label={`Take back: ${agent} in ${sandbox}`}
                onClick={() => attempt(async () => void (await ask('desk', 'takeBack', { agent, sandbox })))}
              >
                Take back
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
