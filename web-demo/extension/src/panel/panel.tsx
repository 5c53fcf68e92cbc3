import { Busy, Button } from '../../../app/src/parts/bits.js';
import { Dialogs } from '../../../app/src/parts/dialogs.js';
import { Failed } from '../../../app/src/parts/loaded.js';
import { Plain } from '../../../app/src/parts/plain.js';
import { Toasts } from '../../../app/src/parts/toasts.js';
import { Review } from '../../../app/src/screens/review/review.js';
import { Audit } from '../../../app/src/screens/workspace/audit.js';
import { goStart, route } from '../../../app/src/state/route.js';
import { openProblem, sandbox } from '../../../app/src/state/session.js';
import { Home } from './home.js';
import { look } from './open.js';

function Inside({ name }: { name: string }) {
  const wrong = openProblem.value;
  const { screen } = route.value;
  return (
    <>
      <header class="panel-top">
        <Button kind="quiet" keys="Esc" onClick={goStart}>
          Back
        </Button>
        <Plain text={name} mono />
        <span class="grow" />
        <span class="muted small">{screen === 'audit' ? 'Audit log' : 'Review'}</span>
      </header>
      <main class="panel-inside">
        {wrong ? (
          <Failed wrong={wrong} retry={() => look(name)} />
        ) : sandbox.value?.name !== name ? (
          <Busy what="Opening the sandbox" />
        ) : screen === 'audit' ? (
          <Audit />
        ) : (
          <Review />
        )}
      </main>
    </>
  );
}

export function Panel() {
  const { name, screen } = route.value;
  // Links to app screens that the panel lacks lead home.
  const isInside = name !== undefined && (screen === 'review' || screen === 'audit');
  return (
    <div class="panel">
      {isInside ? <Inside key={name} name={name} /> : <Home />}
      <Dialogs />
      <Toasts />
    </div>
  );
}
