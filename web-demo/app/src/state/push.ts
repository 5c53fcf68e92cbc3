// A push or a bundle that the person asks for themselves.

import { effect, signal } from '@preact/signals';
import { pushResult } from 'gitgate';
import type { Exported, Reply } from 'gitgate';

import { ended } from './live.js';
import { branch, refresh } from './repo.js';
import { saveAs } from './save-as.js';
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

/** A name that any file system takes, and a shell as one word. */
const fileOf = (sandbox: string): string =>
  `${sandbox.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'sandbox'}.bundle`;

/** Downloads the bundle that an export ended with, and says by which name. */
export function download(sandbox: string, reply: Exported): string | undefined {
  if (reply.outcome !== 'done') return undefined;
  const name = fileOf(sandbox);
  saveAs(reply.bytes, name, 'application/x-git-bundle');
  return name;
}

async function push(to: 'upstream' | 'bundle', signal: AbortSignal): Promise<void> {
  const one = need();
  let end;
  if (to === 'bundle') {
    const reply = await one.exportBundle(branch.value || undefined, { signal });
    end = { reply, target: to, file: download(one.name, reply) };
  } else end = { reply: await one.push({ signal }), target: to };
  if (sandbox.value === one) ended.value = end;
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
