import { GitgateError, told } from '../error.js';
import type { Assets, Event, From } from '../protocol.js';
import { whenOff } from '../off.js';
import { listOpfs, removeOpfs } from '../storage/index.js';
import { assets, compiledOf, newWorker } from './assets.js';
import type { WorkerSource } from './assets.js';
import { Emitter } from './events.js';
import { GitServers } from './git-server.js';
import type { GitServersOptions } from './git-server.js';
import { GitHub } from './github.js';
import type { GitHubOptions } from './github.js';
import { impatient } from './impatient.js';
import { Keeper } from './keeper.js';
import type { Line } from './line.js';
import { takeIfFree } from './locks.js';
import { Needs } from './needs.js';
import type { Asked } from './needs.js';
import { Owner } from './owner.js';
import { Sandbox } from './sandbox.js';
import type { Sender } from './send.js';
import { Senders } from './senders.js';

/** The storage of a sandbox. */
export type Place = { in: 'opfs' | 'memory' };

/** In the origin private file system, for all tabs. */
export const opfs = (): Place => ({ in: 'opfs' });

/** In memory of this tab's Worker, until that ends. */
export const memory = (): Place => ({ in: 'memory' });

export interface OpenOptions {
  name: string;
  storage: Place;
  /** The author of commits, as `Name <email>`. */
  identity?: string;
  /** The user's name in the audit log. Default: the identity's name. */
  who?: string;
  /** When to ask a person: before anything leaves, or before any change. Default: `gate`. */
  policy?: 'gate' | 'strict';
  /** Who may start a push. Default: the setting in `config`. */
  push?: 'manual' | 'assisted';
  /**
   * The branch of `from.github` or `from.git` that pushes go to if they name no target. Default: a branch of the
   * sandbox's own, `agent/NAME`.
   */
  pushTo?: string;
  /** Further targets that an agent may name, such as `github:owner/repo` or `git:https://host/path`. */
  targets?: string[];
  /** The initial content of a new sandbox. Default: an empty repository. */
  from?: From;
  github?: GitHubOptions;
  /** Any other git server. A page reaches one that allows its origin (CORS). */
  git?: GitServersOptions;
  /**
   * Sends requests in place of this page's `github` and `git`. It must fulfil the contract of `GitHub` and
   * `GitServers`.
   */
  http?: Sender;
  /** The text of a policy file. */
  rules?: string;
  /** The text of `gitgate.toml`. */
  config?: string;
  /** The time limit of a call's work. Default: a minute. */
  timeoutMs?: number;
  /** Answers questions during and after opening, like `onQuestion`. */
  question?: Asked;
  /** Cancels the opening, and leaves nothing of a new sandbox. Has no effect once it is open. */
  signal?: AbortSignal;
  /** The URLs of the package's files, if they differ from the package's layout. */
  assets?: Partial<Assets> & { worker?: WorkerSource };
}

/**
 * Opens the sandbox of that name, or creates it. An existing one ignores the options for new sandboxes. In
 * OPFS, one tab has the sandbox, and the others reach it through that tab.
 */
export async function openSandbox(options: OpenOptions): Promise<Sandbox> {
  const { name, storage, identity, timeoutMs = 60_000, from, signal } = options;
  ensureSecure();
  if (name === '' || name.length > 100) {
    throw new GitgateError('usage', 'a name has 1 to 100 characters', 'choose another name');
  }
  if (signal?.aborted) throw off();
  const { github, git, http = new Senders({ github: new GitHub(github), git: new GitServers(git) }) } = options;
  const needs = new Needs(http);
  needs.person = options.question;
  const events = new Emitter();
  const onEvent = (event: Event): void => emit(events, event);
  const { worker, ...elsewhere } = options.assets ?? {};
  const { policy, push, pushTo, targets, config, rules } = options;
  const all = assets(elsewhere);
  const keeper = (onEvent: (event: Event) => void): Keeper =>
    new Keeper({
      opening: {
        name,
        storage: storage.in,
        who: options.who ?? identity?.replace(/\s*<.*$/, '') ?? 'user',
        settings: {
          ...(identity !== undefined && { identity }),
          ...(policy && { policy }),
          ...(push && { push }),
          ...(pushTo !== undefined && { pushTo }),
          ...(targets && { targets }),
        },
        ...(config !== undefined && { config }),
        ...(rules !== undefined && { rules }),
        ...(from && { from }),
        assets: all,
      },
      worker: () => newWorker(worker),
      locks: navigator.locks,
      onEvent,
      isIsolated: crossOriginIsolated,
      compiled: compiledOf(all),
      perform: impatient(needs.perform),
      ...(storage.in === 'opfs' && { discard: () => discard(name) }),
    });
  const line = storage.in === 'memory' ? keeper(onEvent) : await share(name, keeper, onEvent);
  try {
    // The first request opens it, here or in the tab that has it.
    const { reply } = line.request('settings', null, { perform: needs.perform });
    await Promise.race(signal ? [reply, whenOff(signal, off)] : [reply]);
  } catch (error) {
    await line.close();
    throw error;
  }
  return new Sandbox({ name, line, needs, events, timeoutMs, alone });
}

function off(): GitgateError {
  return new GitgateError('interrupted', 'the opening was called off; nothing has changed');
}

/** Removes an unfinished sandbox. */
async function discard(name: string): Promise<void> {
  try {
    await removeOpfs(name);
  } catch (error) {
    // Its Worker may have removed it already.
    if (told(error).kind !== 'no-such-sandbox') throw error;
  }
}

function share(name: string, own: (onEvent: (event: Event) => void) => Line, onEvent: (event: Event) => void) {
  const channel = new BroadcastChannel(`gitgate:${name}`);
  return Owner.open({ name, locks: navigator.locks, channel, own, onEvent });
}

export function emit(events: Emitter, event: Event): void {
  switch (event.tag) {
    case 'waiting':
      return events.emit(event.tag, event.val);
    case 'changed':
      return events.emit(event.tag, event.val);
    case 'note':
    case 'replaced':
      return events.emit(event.tag, event.val);
    case 'progress':
      return events.emit(event.tag, event.val);
    case 'owner':
      return events.emit(event.tag, event.val);
    case 'alive':
    case 'making':
    case 'compiled':
    case 'lost':
      // Only between the Worker and its keeper.
      return;
  }
}

function ensureSecure(): void {
  if (isSecureContext && 'locks' in navigator) return;
  throw new GitgateError('usage', 'gitgate needs a secure page and a current browser', 'serve the page by https');
}

async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const release = await takeIfFree(navigator.locks, `gitgate:${name}`);
  if (!release) throw new GitgateError('busy', `'${name}' is open`, 'close it in all tabs first');
  try {
    return await work();
  } finally {
    release();
  }
}

/** The names of the sandboxes in OPFS. */
export function listSandboxes(): Promise<string[]> {
  ensureSecure();
  return listOpfs();
}

/** Removes a sandbox from OPFS if no tab has it open. */
export function removeSandbox(name: string): Promise<void> {
  ensureSecure();
  return alone(name, () => removeOpfs(name));
}

/**
 * Asks the browser not to evict the storage when space is short. Returns whether it agrees.
 */
export function persist(): Promise<boolean> {
  ensureSecure();
  return navigator.storage.persist();
}
