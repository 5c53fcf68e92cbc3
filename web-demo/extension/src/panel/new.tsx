import { useState } from 'preact/hooks';

import { Busy, Button } from '../../../app/src/parts/bits.js';
import { free } from '../../../app/src/state/free.js';
import { identity } from '../../../app/src/state/prefs.js';
import { attempt } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';

export function New({ names }: { names: string[] }) {
  const [name, setName] = useState('');
  const [github, setGithub] = useState('');
  const [isBusy, setBusy] = useState(false);
  const repo = github
    .trim()
    .replace(/^https:\/\/github\.com\//, '')
    .replace(/\.git$|\/$/, '');
  const isWrong = repo !== '' && !/^[\w.-]+\/[\w.-]+$/.test(repo);
  const final = name.trim() || free(repo.split('/')[1] || 'sandbox', names);
  const isTaken = names.includes(final);
  async function make(): Promise<void> {
    setBusy(true);
    try {
      const who = identity.value.trim();
      await ask('desk', 'create', { name: final, ...(repo && { github: repo }), ...(who && { identity: who }) });
      setName('');
      setGithub('');
    } finally {
      setBusy(false);
    }
  }
  if (isBusy) return <Busy what={`Making ${final}`} />;
  const why = isWrong ? 'A repository is owner/name.' : isTaken ? 'There is a sandbox of that name.' : '';
  return (
    <details class="panel-fold" open={names.length === 0}>
      <summary>New sandbox</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong && !isTaken) attempt(make);
        }}
      >
        <label class="field">
          <span>Repository at GitHub, or nothing for an empty one</span>
          <input value={github} placeholder="owner/name" onInput={(event) => setGithub(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Name</span>
          <input
            value={name}
            placeholder={final}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Who commits</span>
          <input
            value={identity.value}
            placeholder="Ada <ada@example.org>"
            onInput={(event) => (identity.value = event.currentTarget.value)}
          />
        </label>
        <p class="small danger-text" role="status">
          {why}
        </p>
        <Button kind="primary" isDisabled={isWrong || isTaken} onClick={() => attempt(make)}>
          Make it
        </Button>
      </form>
    </details>
  );
}
