import { GitgateError, told } from '../error.js';
import type { Assets, Event, From } from '../protocol.js';
import { whenOff } from '../off.js';
import { listOpfs, removeOpfs } from '../storage/index.js';
import { assets, compiledOf, newWorker } from './assets.js';
import type { WorkerSource } from './assets.js';
import { Emitter } from './events.js';
import { GitHub } from './github.js';
import type { GitHubOptions, Sender } from './github.js';
import { impatient } from './impatient.js';
import { Keeper } from './keeper.js';
import type { Line } from './line.js';
import { takeIfFree } from './locks.js';
import { Needs } from './needs.js';
import type { Asked } from './needs.js';
import { Owner } from './owner.js';
import { Sandbox } from './sandbox.js';

/** Where a sandbox is kept. */
export type Place = { in: 'opfs' | 'memory' };

/** In the files of this origin, for all its tabs. */
export const opfs = (): Place => ({ in: 'opfs' });

/** In the Worker of this tab, and gone with it. */
export const memory = (): Place => ({ in: 'memory' });

export interface OpenOptions {
  name: string;
  storage: Place;
  /** Who commits, as `Name <email>`. */
  identity?: string;
  /** Who uses it, for the audit log. Default: the identity's name. */
  who?: string;
  /** When a person is asked: before anything leaves, or before any change. Default: `gate`. */
  policy?: 'gate' | 'strict';
  /** Who may start a push. Default: as `config` says. */
  push?: 'manual' | 'assisted';
  /** Further targets that an agent may name, such as `github:owner/repo`. */
  targets?: string[];
  /** What a new sandbox begins with. Default: an empty repository. */
  from?: From;
  github?: GitHubOptions;
  /** Sends requests to GitHub, if not this page by `github`. It keeps to what `GitHub` promises. */
  http?: Sender;
  /** The text of a policy file. */
  rules?: string;
  /** The text of `gitgate.toml`. */
  config?: string;
  /** How long a call may work. Default: a minute. */
  timeoutMs?: number;
  /** Answers what is asked while it opens and after. The same as `onQuestion`. */
  question?: Asked;
  /** Calls the opening off, which leaves nothing of a new sandbox. Once it is open it has no part. */
  signal?: AbortSignal;
  /** Where the package's files are, if not where the package has them. */
  assets?: Partial<Assets> & { worker?: WorkerSource };
}

/**
 * Opens the sandbox of that name, or makes it. What describes a new one is of no account for one
 * that exists. In OPFS, one tab has it, and the others reach it through that one.
 */
export async function openSandbox(options: OpenOptions): Promise<Sandbox> {
  const { name, storage, identity, timeoutMs = 60_000, from, signal } = options;
  ensureSecure();
  if (name === '' || name.length > 100) {
    throw new GitgateError('usage', 'a name has 1 to 100 characters', 'choose another name');
  }
  if (signal?.aborted) throw off();
  const needs = new Needs(options.http ?? new GitHub(options.github));
  needs.person = options.question;
  const events = new Emitter();
  const onEvent = (event: Event): void => emit(events, event);
  const { worker, ...elsewhere } = options.assets ?? {};
  const { policy, push, targets, config, rules } = options;
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
    // The first thing that is asked opens it, here or in the tab that has it.
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

/** Removes what was not made to its end. */
async function discard(name: string): Promise<void> {
  try {
    await removeOpfs(name);
  } catch (error) {
    // Its Worker may have removed it before it ended.
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
      // Between the Worker and its keeper only.
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

/** The names of the sandboxes that are kept in OPFS. */
export function listSandboxes(): Promise<string[]> {
  ensureSecure();
  return listOpfs();
}

/** Removes a sandbox from OPFS that no tab has open. */
export function removeSandbox(name: string): Promise<void> {
  ensureSecure();
  return alone(name, () => removeOpfs(name));
}

/**
 * Asks the browser not to remove what is kept when it is short of space. Says whether it agrees.
 */
export function persist(): Promise<boolean> {
  ensureSecure();
  return navigator.storage.persist();
}
