// Stores the agent's script when the page is reloaded or its sandbox is left, and resumes it.

import { effect } from '@preact/signals';

import { HAND_OVER, clear, isAll, next, run, running, script, steps } from './agent.js';
import type { Step } from './agent.js';
import { keepScript, keptScript } from './kept-script.js';
import { asked } from './live.js';
import { inMemory, metas } from './meta.js';
import { remotes } from './remote.js';
import { LEFT } from './requests.js';
import type { Held } from './requests.js';
import { need, sandbox } from './session.js';

/** The longest delay from a change to the storage, in milliseconds. */
const SOON = 1000;

/** The sandbox whose script is visible, and the waiting call that its last step asks about. */
let shown: string | undefined;
let asks: string | undefined;
/** Whether it repeats the interrupted question by itself. */
let goesOn = false;

const created = (name: string): number => metas.peek()[name]?.created ?? 0;

/** The call that the running line asks about. Only the script makes agent calls here. */
const isAsking = (): string | undefined =>
  asked.peek().find(({ sandbox, question }) => sandbox === shown && question.id !== null)?.question.id ?? undefined;

function halted(step: Step, id: string | undefined): Step {
  if (step.state !== 'running') return step;
  if (id !== undefined || step.tool === HAND_OVER) {
    return { ...step, state: 'stopped', said: 'Stopped while it waited for your answer. Run it to ask again.' };
  }
  const said = 'interrupted: the page was left before this call ended\nThe history tells whether it has happened';
  return { ...step, state: 'failed', said };
}

function keep(isLeft: boolean): void {
  clearTimeout(timer);
  timer = undefined;
  const name = shown;
  if (name === undefined || inMemory.peek().includes(name) || remotes.peek().has(name)) return;
  const id = isAsking() ?? (running.peek() ? undefined : asks);
  const now = steps.peek().map((step) => halted(step, id));
  const isStopped = now.at(-1)?.state === 'stopped';
  // It resumes with the asking line.
  const back = isStopped && running.peek() ? 1 : 0;
  keepScript(name, {
    created: created(name),
    script: script.peek(),
    next: next.peek() - back,
    steps: now,
    isAll: isAll.peek(),
    isLeft,
    ...(isStopped && id !== undefined && { asks: id }),
  });
}

let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  script.value;
  steps.value;
  next.value;
  asked.value;
  if (shown !== undefined) timer ??= setTimeout(keep, SOON, false);
});
addEventListener('pagehide', () => keep(true));

/** The person left the sandbox. The running script stops, and resumes when they open the sandbox again. */
export function leaveScript(): void {
  keep(true);
  shown = undefined;
  running.peek()?.abort(LEFT);
  running.value = undefined;
  clear();
  script.value = '';
}

/** Another sandbox has another agent. */
export function showScript(name: string): void {
  const kept = keptScript(name, created(name));
  clear();
  script.value = kept?.script ?? '';
  steps.value = kept?.steps ?? [];
  next.value = kept?.next ?? 0;
  isAll.value = kept?.isAll ?? false;
  asks = kept?.asks;
  goesOn = kept?.isLeft ?? false;
  shown = name;
  if (kept) keep(false);
}

const canGoOn = (): boolean => goesOn && steps.peek().at(-1)?.state === 'stopped' && running.peek() === undefined;

/** Whether the script was interrupted while it asked for a bundle. */
export const isHandingOver = (): boolean => canGoOn() && steps.peek().at(-1)?.tool === HAND_OVER;

/** Repeats the interrupted question. The script continues after the person's answer. */
export const handOverAgain = (known: Held): Promise<void> => run(isAll.peek(), known);

/** The same for an agent's call, if it still waits. After a decision elsewhere, only a click runs it. */
export async function callAgain(): Promise<void> {
  const id = asks;
  if (id === undefined || !canGoOn()) return;
  const one = need();
  const waiting = await one.waiting();
  if (sandbox.peek() === one && canGoOn() && waiting.some((other) => other.id === id)) await run(isAll.peek());
}
