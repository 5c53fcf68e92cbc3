// What the start screen tells of sandboxes that are not open.

import { signal } from '@preact/signals';
import { listSandboxes, removeSandbox } from 'gitgate';

import { local } from './kept.js';

interface Meta {
  from: string;
  created: number;
  /** The repository at GitHub that its commits go to. */
  repo?: string;
  /** The base of GitHub's API. */
  base?: string;
  files?: number;
  bytes?: number;
  waiting?: number;
}

const KEY = 'gitgate.sandboxes';

/** A value that this page has put there itself. */
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
/** Those in memory of this tab. */
export const inMemory = signal<string[]>([]);

export function tell(name: string, meta: Partial<Meta>): void {
  const all = { ...read() };
  all[name] = { ...(all[name] ?? { from: 'unknown', created: Date.now() }), ...meta };
  local.setItem(KEY, JSON.stringify(all));
  metas.value = all;
}

function forget(name: string): void {
  const { [name]: _, ...rest } = read();
  local.setItem(KEY, JSON.stringify(rest));
  metas.value = rest;
}

export async function refresh(): Promise<void> {
  hasOpfs.value = await navigator.storage.getDirectory().then(
    () => true,
    () => false,
  );
  names.value = hasOpfs.value ? await listSandboxes() : [];
}

export async function remove(name: string): Promise<void> {
  if (hasOpfs.value) await removeSandbox(name);
  forget(name);
  await refresh();
}
