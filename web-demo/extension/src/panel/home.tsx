import { Busy } from '../../../app/src/parts/bits.js';
import { GITHUB } from '../common/github.js';
import { Account } from './account.js';
import { Agents, Asking } from './agents.js';
import { account, state } from './link.js';
import { New } from './new.js';
import { Sandboxes } from './sandboxes.js';
import { Waiting } from './waiting.js';

export function Home() {
  const now = state.value;
  return (
    <>
      <header class="panel-top">
        <h1>gitgate</h1>
        <span class="grow" />
        <span class="muted small">
          {account.value?.isSignedIn ? (account.value.login ?? 'signed in') : 'not signed in'}
        </span>
      </header>
      <main class="panel-home scroll">
        {!now ? (
          <Busy what="Looking at the sandboxes" />
        ) : (
          <>
            <Asking asking={now.asking} sandboxes={now.sandboxes} />
            <Waiting waits={now.waits} />
            <Sandboxes names={now.sandboxes} waits={now.waits} />
            <New names={now.sandboxes} base={account.value?.base ?? GITHUB} />
            <Agents grants={now.grants} here={now.here} />
          </>
        )}
        {account.value && <Account account={account.value} />}
      </main>
    </>
  );
}
