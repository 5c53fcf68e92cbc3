// The document with the sandboxes. There is only one, and only it decides what an agent reaches. It has no
// token, and its policy lets it reach no server.

import '../../../app/src/state/trust.js';

import type { Waiting } from 'gitgate';

import { answer, isOurs } from '../common/ask.js';
import type { State } from '../common/kept.js';
import { Agents } from './agents.js';
import { Keeper } from './kept.js';
import { Panels, serveOne } from './panels.js';
import { Sandboxes } from './sandboxes.js';
import { agentOf, ofExtension } from './whence.js';

const failed = (error: unknown): void => console.error('gitgate: what waits is not kept', error);

const keeper: Keeper = new Keeper(() => agents.grants);
const sandboxes = new Sandboxes((name, waiting) => {
  showWaiting(name, waiting).catch(failed);
});
const agents: Agents = new Agents(sandboxes, keeper.loaded, keeper.save, () => changed());
const panels = new Panels(async (): Promise<State> => {
  await keeper.loaded;
  const { grants, asking, here } = agents;
  return { sandboxes: await sandboxes.list(), waits: keeper.waits, grants, asking, here };
});

/** The person sees it before it is stored: a stopped service worker may be slow. */
async function showWaiting(name: string, waiting: Waiting[]): Promise<void> {
  await keeper.setWaiting(name, waiting);
  changed();
  await keeper.save();
}

function changed(): void {
  panels.tell();
  keeper.tellAsking(agents.asking.length);
}

/** Resolves once the stored data is loaded. The panels then show it. */
const change =
  <T>(work: (args: T) => Promise<void>) =>
  async (args: T): Promise<null> => {
    await keeper.loaded;
    await work(args);
    changed();
    return null;
  };

answer(
  'desk',
  {
    create: change((begin) => sandboxes.create(begin)),
    remove: change(async (name) => {
      await agents.forget(name);
      await sandboxes.remove(name);
      await showWaiting(name, []);
    }),
    allow: change(({ id, sandbox }) => agents.allow(id, sandbox)),
    refuse: change(async (id) => agents.refuse(id)),
    takeBack: change(({ agent, sandbox }) => agents.takeBack(agent, sandbox)),
  },
  (_, sender) => isOurs(sender, 'panel/'),
);

chrome.runtime.onConnect.addListener((port) => {
  if (isOurs(port.sender, 'panel/')) {
    if (port.name === '') return panels.join(port);
    return void keeper.loaded.then(() => serveOne(port, sandboxes), failed);
  }
  const agent = agentOf(port.sender);
  if (agent) agents.connect(agent, port);
  else port.disconnect();
});

// The asker vanished with another such document.
changed();

chrome.runtime.onConnectExternal.addListener((port) => {
  const agent = ofExtension(port.sender);
  if (agent) agents.connect(agent, port);
  else port.disconnect();
});
