// The frame around all screens of a sandbox.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Busy, Button } from '../../parts/bits.js';
import { Corner } from '../../parts/corner.js';
import { Icon } from '../../parts/icon.js';
import type { IconName } from '../../parts/icon.js';
import { Failed } from '../../parts/loaded.js';
import { Name } from '../../parts/plain.js';
import { running } from '../../state/agent.js';
import { openWaiting } from '../../state/keys.js';
import { live } from '../../state/live.js';
import { pushing } from '../../state/push.js';
import { hostOf } from '../../state/remote.js';
import { branch, refresh, unstaged } from '../../state/repo.js';
import { currentName, goStart, link, route } from '../../state/route.js';
import type { Screen } from '../../state/route.js';
import {
  changed,
  isInMemory,
  isOwner,
  isRemote,
  openProblem,
  opening,
  progress,
  sandbox,
  show,
} from '../../state/session.js';
import { attempt } from '../../state/toast.js';
import { waits } from '../../state/waits.js';
import { Agent } from '../agent/agent.js';
import { Review } from '../review/review.js';
import { Connect } from '../connect/connect.js';
import { Terminal } from '../terminal/terminal.js';
import { Audit } from './audit.js';
import { Blame } from './blame.js';
import { Changes } from './changes.js';
import { Commits } from './commits.js';
import { Files } from './files.js';
import { History } from './history.js';
import { Search } from './search.js';

const TABS: [Screen, string, IconName][] = [
  ['files', 'Files', 'file'],
  ['terminal', 'Terminal', 'terminal'],
  ['changes', 'Changes', 'plus'],
  ['commits', 'Commits', 'commit'],
  ['history', 'History', 'clock'],
  ['audit', 'Audit', 'check'],
  ['agent', 'Agent', 'play'],
  ['connect', 'Connect', 'agent'],
];

const SCREENS: { [screen in Screen]: () => ComponentChildren } = {
  files: () => <Files />,
  terminal: () => <Terminal />,
  search: () => <Search />,
  changes: () => <Changes />,
  commits: () => <Commits />,
  blame: () => <Blame />,
  history: () => <History />,
  audit: () => <Audit />,
  agent: () => <Agent />,
  review: () => <Review />,
  connect: () => <Connect />,
};

function Waiting() {
  const count = waits.value;
  if (count === 0) return null;
  return (
    <button type="button" class="waiting" onClick={openWaiting} title="What waits for you (g w)">
      <Icon name="warn" />
      <span>Waiting for you</span>
      <span class="count">{count}</span>
    </button>
  );
}

function Tabs({ name }: { name: string }) {
  const { screen: open } = route.value;
  const isElsewhere = hostOf(name) !== undefined;
  // An agent that plays here has a screen. Other agents are connected.
  const left: Screen = isElsewhere ? 'agent' : 'connect';
  const now = open === 'blame' || open === 'search' ? 'files' : open === left ? 'agent' : open;
  return (
    <nav class="tabs" aria-label="Sandbox">
      {TABS.filter(([screen]) => screen !== left).map(([screen, title, icon]) => (
        <a key={screen} href={link(name, screen)} aria-current={now === screen ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{title}</span>
          {screen === 'changes' && unstaged.value.length > 0 && <span class="count">{unstaged.value.length}</span>}
        </a>
      ))}
    </nav>
  );
}

export function Shell() {
  const name = currentName.value ?? '';
  const isOpen = sandbox.value?.name === name;
  useEffect(() => {
    // An agent's run only announces its end, or its questions. What is read while a push is on its way waits
    // for it.
    const isWorking = running.value !== undefined || pushing.value !== undefined;
    if (isOpen && (!isWorking || live.value)) attempt(refresh);
  }, [isOpen, name, changed.value, running.value, pushing.value, live.value]);
  // After a key, the focus continues at the place it led to, not at the top.
  const main = useRef<HTMLElement>(null);
  const { screen } = route.value;
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [screen]);
  const wrong = openProblem.value;
  const stop = () => opening.value?.abort();
  return (
    <div class="shell">
      <header class="top">
        <Button kind="quiet" icon="gate" label="All sandboxes" title="All sandboxes (g s)" onClick={goStart} />
        <strong class="name">
          <Name text={name} />
        </strong>
        <Tabs name={name} />
        {/* What comes and goes stands behind the tabs: they stay where a person points at. */}
        <span class="muted small doing" aria-live="polite">
          {progress.value.at(-1)}
        </span>
        {branch.value && isOpen && (
          <span class="tag branch">
            <Icon name="branch" />
            <Name text={branch.value} />
          </span>
        )}
        {isInMemory.value && <span class="tag warning">in memory only</span>}
        {isRemote.value && (
          <span class="tag server" title="It is on this server">
            <Name text={hostOf(name) ?? ''} />
          </span>
        )}
        {!isOwner.value && (
          <span
            class="tag elsewhere"
            title="Another tab runs this sandbox, and both show the same. Close that one, and this one takes over."
          >
            <span>runs in </span>another tab
          </span>
        )}
        <Waiting />
        <Corner />
      </header>
      <main ref={main} tabIndex={-1}>
        {isOpen && SCREENS[screen]()}
        {!isOpen && opening.value && <Busy what={progress.value.at(-1) ?? `Opening ${name}`} stop={stop} />}
        {!isOpen && !opening.value && wrong && <Failed wrong={wrong} retry={() => show(name)} />}
      </main>
    </div>
  );
}
