// A push or a bundle that the person asks for themselves.

import { effect, signal } from '@preact/signals';
import { pushResult } from 'gitgate';
import type { Exported, Reply } from 'gitgate';

import type { Destination } from './destination.js';
import { ended } from './live.js';
import { metas } from './meta.js';
import { proposal, propose } from './pull-request.js';
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

/** A name that any file system takes, and a shell as one word. */
const fileOf = (sandbox: string): string =>
  `${sandbox.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'sandbox'}.bundle`;

/** Downloads the bundle that an export ended with, and says by which name. */
export function download(sandbox: string, reply: Exported): string | undefined {
  if (reply.outcome !== 'done') return undefined;
  const name = fileOf(sandbox);
  save(reply.bytes, name);
  return name;
}

function save(bytes: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/x-git-bundle' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Opens the pull request for what has landed, if one is wanted. */
function proposeLanded(sandbox: string, reply: Reply): void {
  const { repo } = metas.value[sandbox] ?? {};
  if (repo === undefined || reply.outcome !== 'done' || !isThere(reply)) return;
  const { branch, commits } = pushResult(reply);
  void propose({ sandbox, repo, branch, title: commits.at(-1)?.subject || branch });
}

async function push(to: 'upstream' | 'bundle', signal: AbortSignal, where?: Destination): Promise<void> {
  const one = need();
  let end;
  if (to === 'bundle') {
    const reply = await one.exportBundle(branch.value || undefined, { signal });
    end = { reply, target: to, file: download(one.name, reply) };
  } else end = { reply: await one.push({ signal, ...(where && { target: where.target }) }), target: to, where };
  if (sandbox.value !== one) return;
  ended.value = end;
  if (where?.isProposed) proposeLanded(one.name, end.reply);
}

/** Begins the push that has ended once more, to where it went. */
export const pushAgain = (): void => beginPush('upstream', ended.value?.where);

/** One that is asked about already ends without an answer, and nothing of it has left. */
export function beginPush(to: 'upstream' | 'bundle', where?: Destination): void {
  pushing.value?.abort();
  const off = new AbortController();
  pushing.value = off;
  ended.value = undefined;
  proposal.value = undefined;
  go('review', 'live');
  attempt(async () => {
    try {
      await push(to, off.signal, where);
    } catch (error) {
      // Another one is in its place.
      if (!off.signal.aborted || pushing.value === off) throw error;
    } finally {
      if (pushing.value === off) pushing.value = undefined;
      changed.value += 1;
      if (sandbox.value) await refresh();
    }
  }, 'push');
}
