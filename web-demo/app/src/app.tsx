import { effect } from '@preact/signals';

import { Dialogs } from './parts/dialogs.js';
import { Toasts } from './parts/toasts.js';
import { ConnectPage } from './screens/connect/connect.js';
import { DestinationDialog } from './screens/review/destination-dialog.js';
import { Start } from './screens/start/start.js';
import { Shell } from './screens/workspace/shell.js';
import { askAgain } from './state/again.js';
import './state/badges.js';
import { ended } from './state/live.js';
import { forget } from './state/repo.js';
import { onKey } from './state/keys.js';
import { pushing } from './state/push.js';
import { proposal } from './state/pull-request.js';
import { LEFT } from './state/requests.js';
import { fetchReview } from './state/review.js';
import { currentName, route } from './state/route.js';
import { leaveScript, showScript } from './state/script.js';
import { leave, sandbox, show } from './state/session.js';
import { leaveTerminal, showTerminal } from './state/terminal.js';
import { attempt } from './state/toast.js';

addEventListener('keydown', onKey);

// The screens must not show one sandbox's state for another.
let shown: string | undefined;
effect(() => {
  const name = sandbox.value?.name;
  // Work of an agent or the person belongs to this sandbox. It continues when they return here.
  if (name === undefined) {
    leaveScript();
    leaveTerminal();
    pushing.peek()?.abort(LEFT);
    return;
  }
  showScript(name);
  showTerminal(name);
  attempt(() => askAgain(name));
  if (name === shown) return;
  shown = name;
  forget();
  ended.value = undefined;
  proposal.value = undefined;
  attempt(() => fetchReview(undefined));
});

effect(() => {
  const name = currentName.value;
  // Only a change of the address may trigger this, not what opening changes.
  queueMicrotask(() => (name === undefined ? attempt(leave) : show(name)));
});

export function App() {
  return (
    <>
      {currentName.value !== undefined ? <Shell /> : route.value.screen === 'connect' ? <ConnectPage /> : <Start />}
      <Toasts />
      <Dialogs />
      <DestinationDialog />
    </>
  );
}
