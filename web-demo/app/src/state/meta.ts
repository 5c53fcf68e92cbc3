// The start screen's facts about sandboxes that are not open.

import { signal } from '@preact/signals';
import { listSandboxes, removeSandbox } from 'gitgate';

import { forgetDrafts, forgetOthers } from './drafts.js';
import { local } from './kept.js';
import { leaveOut, remotes } from './remote.js';
import { forgetRequests } from './requests.js';

interface Meta {
  from: string;
  created: number;
  /** The GitHub repository that its commits go to. */
  repo?: string;
  /** The base URL of GitHub's API. */
  base?: string;
  files?: number;
  bytes?: number;
  waiting?: number;
}

const KEY = 'gitgate.sandboxes';

/** This page wrote the value itself. */
function read(): { [name: string]: Meta } {
  try {
    return JSON.parse(local.getItem(KEY) ?? '{}') as { [name: string]: Meta };
  } catch {
    return {};
  }
}

export const metas = signal(read());
export const names = signal<string[] | undefined>(undefined);
export const hasOpfs = signal<boolean | undefined>(undefined);
/** The sandboxes in memory of this tab. */
export const inMemory = signal<string[]>([]);

/** The facts about sandboxes on a server. They are never stored. */
let elsewhere: { [name: string]: Meta } = {};

export function tell(name: string, meta: Partial<Meta>): void {
  const isElsewhere = remotes.value.has(name);
  const all = isElsewhere ? elsewhere : read();
  const now = { ...all, [name]: { ...(all[name] ?? { from: 'unknown', created: Date.now() }), ...meta } };
  if (isElsewhere) elsewhere = now;
  else local.setItem(KEY, JSON.stringify(now));
  metas.value = { ...read(), ...elsewhere };
}

function forget(name: string): void {
  const { [name]: _, ...rest } = read();
  local.setItem(KEY, JSON.stringify(rest));
  metas.value = { ...rest, ...elsewhere };
}

// Updates from other tabs appear here as well.
addEventListener('storage', ({ key }) => {
  if (key === null || key === KEY) metas.value = { ...read(), ...elsewhere };
});

export async function refresh(): Promise<void> {
  hasOpfs.value = await navigator.storage.getDirectory().then(
    () => true,
    () => false,
  );
  const found = hasOpfs.value ? await listSandboxes() : [];
  if (names.value === undefined) forgetOthers(found);
  names.value = found;
}

export async function remove(name: string): Promise<void> {
  if (hasOpfs.value) await removeSandbox(name);
  forgetDrafts(name);
  forgetRequests(name);
  forget(name);
  await refresh();
}

/** This page forgets a sandbox on a server; the server keeps it. */
export function disconnect(name: string): void {
  leaveOut(name);
  forgetDrafts(name);
  const { [name]: _, ...rest } = elsewhere;
  elsewhere = rest;
  metas.value = { ...read(), ...elsewhere };
}
