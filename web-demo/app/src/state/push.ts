// A push or a bundle that the person asks for themselves.

import { effect, signal } from '@preact/signals';
import { pushResult } from 'gitgate';
import type { Exported, Reply } from 'gitgate';

import { ended } from './live.js';
import { LEFT, keeping } from './requests.js';
import type { Held } from './requests.js';
import { branch, refresh } from './repo.js';
import { saveAs } from './save-as.js';
import { go } from './route.js';
import { changed, isLasting, need, sandbox } from './session.js';
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

type Target = 'upstream' | 'bundle';

async function push(to: Target, signal: AbortSignal, known?: Held): Promise<void> {
  const one = need();
  const wanted = known?.request.branch ?? (branch.value || undefined);
  const work = async () => {
    if (to === 'upstream') return { reply: await one.push({ signal }), target: to };
    const reply = await one.exportBundle(wanted, { signal });
    return { reply, target: to, file: download(one.name, reply) };
  };
  const what = { sandbox: one.name, to, branch: wanted, isKept: isLasting.value };
  const end = await keeping(what, signal, work, known);
  if (sandbox.value === one) ended.value = end;
}

export function beginPush(to: Target): void {
  ended.value = undefined;
  go('review', 'live');
  begin(to);
}

/** Asks for what another page has asked for, or this one before it was loaded again. */
export const pushAgain = (known: Held): void => begin(known.request.to === 'upstream' ? 'upstream' : 'bundle', known);

function begin(to: Target, known?: Held): void {
  pushing.value?.abort();
  const off = new AbortController();
  pushing.value = off;
  let once = known;
  attempt(async () => {
    const first = once;
    once = undefined;
    try {
      await push(to, off.signal, first);
    } catch (error) {
      if (off.signal.reason !== LEFT) throw error;
    } finally {
      if (pushing.value === off) pushing.value = undefined;
      changed.value += 1;
      if (sandbox.value) await refresh();
    }
  }, 'push');
}
