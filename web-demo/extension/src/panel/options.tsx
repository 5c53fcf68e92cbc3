import { useState } from 'preact/hooks';
import { GitgateError } from 'gitgate/extension';

import { Button } from '../../../app/src/parts/bits.js';
import { attempt, note } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';
import type { Account } from '../common/kept.js';
import { put } from './link.js';
import { mayReach } from './reach.js';

function urlOf(base: string): URL {
  if (URL.canParse(base)) return new URL(base);
  throw new GitgateError('usage', 'this is not an address', 'https://HOST/api/v3');
}

export function Options({ account }: { account: Account }) {
  const [base, setBase] = useState(account.base);
  const [clientId, setClientId] = useState(account.clientId);
  const save = (): void =>
    attempt(async () => {
      if (base !== account.base) await mayReach(urlOf(base.trim()));
      await put(ask('worker', 'options', { base, clientId }));
      note('The options are kept.');
    });
  return (
    <details class="panel-fold">
      <summary>Options</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label class="field">
          <span>API address. Another one signs you out</span>
          <input value={base} onInput={(event) => setBase(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Client id of an OAuth app, for signing in by a code</span>
          <input value={clientId} onInput={(event) => setClientId(event.currentTarget.value)} />
        </label>
        <Button onClick={save}>Save</Button>
      </form>
    </details>
  );
}
