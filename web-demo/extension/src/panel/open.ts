// The sandbox that the panel shows. It is open in the document with the sandboxes, and the app's screens
// send their requests there.

import { errorOf, jsonPort, reachSandbox } from 'gitgate/extension';
import type { ToClient, ToServer } from 'gitgate/extension';

import { ended } from '../../../app/src/state/live.js';
import { fetchReview } from '../../../app/src/state/review.js';
import { changed, openProblem, sandbox, waiting } from '../../../app/src/state/session.js';
import { fail, problem } from '../../../app/src/state/toast.js';
import type { Opened } from '../desk/panels.js';
import { insist } from '../common/ask.js';
import { whenGone } from '../common/ports.js';

const lost = () => errorOf({ kind: 'lost', message: 'the sandbox is gone from here', hint: 'open it again' });

async function reach(name: string): Promise<void> {
  await insist('wake', null);
  const port = chrome.runtime.connect({ name });
  const opened = new Promise<void>((resolve, reject) => {
    const first = (message: Opened): void => {
      port.onMessage.removeListener(first);
      if (message.tag === 'open') resolve();
      else reject(errorOf(message.error));
    };
    port.onMessage.addListener(first);
    whenGone(port, () => reject(lost()));
  });
  await opened;
  const close = (): Promise<void> => Promise.resolve(port.disconnect());
  const reached = reachSandbox(name, jsonPort<ToServer, ToClient>(port), close);
  const one = reached.sandbox;
  whenGone(port, () => {
    reached.lost(lost());
    if (sandbox.value === one) openProblem.value = problem(lost());
  });
  one.on('waiting', (now) => {
    waiting.value = now;
  });
  one.on('changed', () => void (changed.value += 1));
  try {
    waiting.value = await one.waiting();
  } catch (error) {
    await one.close();
    throw error;
  }
  sandbox.value = one;
}

let last: Promise<void> = Promise.resolve();

/**
 * Shows that sandbox, after the previous request to show one. Errors appear on the screen. Going home
 * leaves it open, because requests of the screens still need answers.
 */
export function look(name: string | undefined): void {
  last = last.then(() => show(name)).catch(fail);
}

async function show(name: string | undefined): Promise<void> {
  if (name === undefined) {
    // The next review must not show anything of this one.
    ended.value = undefined;
    return fetchReview(undefined);
  }
  if (sandbox.value?.name === name && !openProblem.value) return;
  await sandbox.value?.close();
  sandbox.value = undefined;
  openProblem.value = undefined;
  waiting.value = [];
  try {
    await reach(name);
  } catch (error) {
    openProblem.value = problem(error);
  }
}
