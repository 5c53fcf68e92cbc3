// A push or a bundle that the person asks for themselves.

import { effect, signal } from '@preact/signals';
import { pushResult } from 'gitgate';
import type { Exported, Reply } from 'gitgate';

import { ended } from './live.js';
import { branch, refresh } from './repo.js';
import { go } from './route.js';
import { changed, need, sandbox } from './session.js';
import { attempt, settle } from './toast.js';

export const pushing = signal<AbortController | undefined>(undefined);

/** Whether what was approved is there: at the target, or as a bundle. */
const isThere = (reply: Reply | Exported): boolean =>
  reply.outcome === 'done' && ('bytes' in reply || pushResult(reply).status === 'success');

effect(() => {
  if (ended.value && isThere(ended.value.reply)) settle('push');
});

// Each sandbox has its own pushes. To try one again from another sandbox would push that one.
effect(() => {
  sandbox.value;
  settle('push');
});

export function download(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/x-git-bundle' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function push(to: 'upstream' | 'bundle', signal: AbortSignal): Promise<void> {
  const one = need();
  const reply =
    to === 'upstream' ? await one.push({ signal }) : await one.exportBundle(branch.value || undefined, { signal });
  if ('bytes' in reply && reply.bytes instanceof Uint8Array) download(reply.bytes, `${one.name}.bundle`);
  if (sandbox.value === one) ended.value = { reply, target: to };
}

export function beginPush(to: 'upstream' | 'bundle'): void {
  pushing.value?.abort();
  const off = new AbortController();
  pushing.value = off;
  ended.value = undefined;
  go('review', 'live');
  attempt(async () => {
    try {
      await push(to, off.signal);
    } finally {
      if (pushing.value === off) pushing.value = undefined;
      changed.value += 1;
      if (sandbox.value) await refresh();
    }
  }, 'push');
}
