import { useState } from 'preact/hooks';
import type { Credentials } from 'gitgate/extension';

import { Busy, Button, Trouble } from '../../../app/src/parts/bits.js';
import { free } from '../../../app/src/state/free.js';
import { identity } from '../../../app/src/state/prefs.js';
import { problem } from '../../../app/src/state/toast.js';
import type { Problem } from '../../../app/src/state/toast.js';
import { ask } from '../common/ask.js';
import { handOver } from '../common/hand.js';
import { mayReach } from './reach.js';
import { addressOf, sourceOf, titleOf } from './source.js';

/** The browser must be asked for the server within the person's click. */
async function signIn(url: URL, username: string, password: string): Promise<void> {
  await mayReach(url);
  if (password === '') return;
  await handOver(password);
  await ask('worker', 'login', { address: addressOf(url), username });
}

function Login({ login, change }: { login: Credentials; change: (login: Credentials) => void }) {
  const { username, password } = login;
  return (
    <>
      <label class="field">
        <span>User name</span>
        <input
          value={username}
          autocomplete="off"
          placeholder="If the repository is not open to all"
          onInput={(event) => change({ username: event.currentTarget.value.trim(), password })}
        />
      </label>
      <label class="field">
        <span>Password or access token, until the browser is closed</span>
        <input
          type="password"
          autocomplete="off"
          value={password}
          onInput={(event) => change({ username, password: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

const NOBODY: Credentials = { username: '', password: '' };

export function New({ names, base }: { names: string[]; base: string }) {
  const [name, setName] = useState('');
  const [repository, setRepository] = useState('');
  const [login, setLogin] = useState(NOBODY);
  const [pushTo, setPushTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Problem>();
  // A person who opened the form sees the result in it.
  const [isOpen, setOpen] = useState(false);
  const source = sourceOf(repository, base);
  const isWrong = source.kind === 'wrong';
  const isEmpty = source.kind === 'none';
  const final = name.trim() || free(titleOf(source) || 'sandbox', names);
  const isTaken = names.includes(final);
  async function make(): Promise<void> {
    setBusy(true);
    setFailed(undefined);
    try {
      const who = identity.value.trim();
      const to = pushTo.trim();
      if (source.kind === 'git') await signIn(source.url, login.username, login.password);
      await ask('desk', 'create', {
        name: final,
        ...(source.kind === 'github' && { github: source.repo }),
        ...(source.kind === 'git' && { git: addressOf(source.url) }),
        ...(!isEmpty && to && { pushTo: to }),
        ...(who && { identity: who }),
      });
      setName('');
      setRepository('');
      setLogin(NOBODY);
      setPushTo('');
      setOpen(false);
    } catch (error) {
      setFailed(problem(error));
    } finally {
      setBusy(false);
    }
  }
  const isOff = isWrong || isTaken || isBusy;
  const taken = isTaken && !isBusy ? 'There is a sandbox of that name.' : '';
  const why = isWrong ? 'A repository is owner/name, or an https address.' : taken;
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
          <span>Repository, at GitHub or any git server</span>
          <input
            value={repository}
            placeholder="owner/name or https://…"
            onInput={(event) => setRepository(event.currentTarget.value)}
          />
          <span class="muted small">Without one the sandbox is empty, and nothing in it can be pushed.</span>
        </label>
        {source.kind === 'git' && <Login login={login} change={setLogin} />}
        <label class="field">
          <span>Name</span>
          <input
            value={name}
            placeholder={final}
            maxLength={100}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {!isEmpty && (
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
