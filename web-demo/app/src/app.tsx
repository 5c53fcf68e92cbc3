import { effect } from '@preact/signals';

import { Dialogs } from './parts/dialogs.js';
import { Toasts } from './parts/toasts.js';
import { Start } from './screens/start/start.js';
import { Shell } from './screens/workspace/shell.js';
import { onKey } from './state/keys.js';
import { currentName } from './state/route.js';
import { leave, show } from './state/session.js';
import { attempt } from './state/toast.js';

addEventListener('keydown', onKey);

effect(() => {
  const name = currentName.value;
  // Only the address is to bring this about, not what opening changes.
  queueMicrotask(() => (name === undefined ? attempt(leave) : show(name)));
});

export function App() {
  return (
    <>
      {currentName.value === undefined ? <Start /> : <Shell />}
      <Toasts />
      <Dialogs />
    </>
  );
}
