import { useState } from 'preact/hooks';

import { Busy, Button, Trouble } from '../../../app/src/parts/bits.js';
import { free } from '../../../app/src/state/free.js';
import { identity } from '../../../app/src/state/prefs.js';
import { problem } from '../../../app/src/state/toast.js';
import type { Problem } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';

export function New({ names }: { names: string[] }) {
  const [name, setName] = useState('');
  const [github, setGithub] = useState('');
  const [pushTo, setPushTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Problem>();
  // A person who opened the form sees the result in it.
  const [isOpen, setOpen] = useState(false);
  const repo = github
    .trim()
    .replace(/^https:\/\/github\.com\//, '')
    .replace(/\.git$|\/$/, '');
  const isWrong = repo !== '' && !/^[\w.-]+\/[\w.-]+$/.test(repo);
  const final = name.trim() || free(repo.split('/')[1] || 'sandbox', names);
  const isTaken = names.includes(final);
  async function make(): Promise<void> {
    setBusy(true);
    setFailed(undefined);
    try {
      const who = identity.value.trim();
      const to = repo && pushTo.trim();
      await ask('desk', 'create', {
        name: final,
        ...(repo && { github: repo }),
        ...(to && { pushTo: to }),
        ...(who && { identity: who }),
      });
      setName('');
      setGithub('');
      setPushTo('');
      setOpen(false);
    } catch (error) {
      setFailed(problem(error));
    } finally {
      setBusy(false);
    }
  }
  const isOff = isWrong || isTaken || isBusy;
  const why = isWrong ? 'A repository is owner/name.' : isTaken && !isBusy ? 'There is a sandbox of that name.' : '';
  return (
    <details
      class="panel-fold"
      open={isOpen || names.length === 0}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>New sandbox</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOff) void make();
        }}
      >
        <label class="field">
          <span>Repository at GitHub</span>
          <input value={github} placeholder="owner/name" onInput={(event) => setGithub(event.currentTarget.value)} />
          <span class="muted small">Without one the sandbox is empty, and nothing in it can be pushed.</span>
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
        {repo !== '' && (
          <label class="field">
            <span>Pushes go to</span>
            <input
              value={pushTo}
              placeholder="A branch of its own, agent/NAME"
              onInput={(event) => setPushTo(event.currentTarget.value)}
            />
          </label>
        )}
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
        {failed && <Trouble message={failed.message} hint={failed.hint} />}
        {isBusy ? (
          <Busy what={`Making ${final}`} />
        ) : (
          <Button kind="primary" isDisabled={isOff} onClick={() => void make()}>
            Make it
          </Button>
        )}
      </form>
    </details>
  );
}
