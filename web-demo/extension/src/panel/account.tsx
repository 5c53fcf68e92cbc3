// The sign-in. A token goes to the service worker, and never comes back.

import { useEffect, useState } from 'preact/hooks';

import { Button } from '../../../app/src/parts/bits.js';
import { Plain } from '../../../app/src/parts/plain.js';
import { attempt, fail } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';
import { handOver } from '../common/hand.js';
import type { Account as Shown, Device as Pending } from '../common/kept.js';
import { put } from './link.js';
import { Options } from './options.js';

function Device({ device }: { device: Pending }) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    // The next poll starts after this answer, however long it takes.
    const poll = (): void => void put(ask('worker', 'poll', null)).catch(fail).then(wait);
    const wait = (): void => {
      if (!isOver) timer = setTimeout(poll, device.everyMs);
    };
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [device.code, device.everyMs]);
  return (
    <div class="panel-card">
      <p>
        Type <strong class="mono">{device.code}</strong> at{' '}
        <a href={device.address} target="_blank" rel="noopener noreferrer">
          <Plain text={device.address} clip={false} />
        </a>
        . This panel goes on by itself.
      </p>
      <Button onClick={() => attempt(() => put(ask('worker', 'signOut', null)))}>Cancel</Button>
    </div>
  );
}

function SignIn({ hasDevice }: { hasDevice: boolean }) {
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const sign = (): void =>
    attempt(async () => {
      await handOver(token);
      await put(ask('worker', 'signIn', { keep }));
      setToken('');
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sign();
      }}
    >
      <label class="field">
        <span>Fine-grained token, with read and write of contents</span>
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
        Keep it when the browser is closed
      </label>
      <div class="buttons">
        {hasDevice && <Button onClick={() => attempt(() => put(ask('worker', 'device', { keep })))}>With a code…</Button>}
        <Button kind="primary" isDisabled={token.trim() === ''} onClick={sign}>
          Sign in
        </Button>
      </div>
    </form>
  );
}

export function Account({ account: now }: { account: Shown }) {
  return (
    <section aria-label="GitHub">
      <h2>GitHub</h2>
      {now.device ? (
        <Device device={now.device} />
      ) : now.isSignedIn ? (
        <div class="panel-row">
          <div class="grow">
            Signed in {now.login !== null && <Plain text={`as ${now.login}`} />}
            <div class="muted small">{now.isKept ? 'until you sign out' : 'until the browser is closed'}</div>
          </div>
          <Button onClick={() => attempt(() => put(ask('worker', 'signOut', null)))}>Sign out</Button>
        </div>
      ) : (
        <SignIn hasDevice={now.clientId !== ''} />
      )}
      <Options account={now} />
    </section>
  );
}
