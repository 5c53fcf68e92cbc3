// Plays an agent: a script of calls, and their results as the agent reads them.

import { signal } from '@preact/signals';
import { GitgateError, pushResult } from 'gitgate';
import type { Exported, Json, Reply, Sandbox, ToolSpec } from 'gitgate';

import { call } from './call.js';
import { asked, ended, SCRIPT, sourceOf } from './live.js';
import { download } from './push.js';
import { keeping } from './requests.js';
import type { Held } from './requests.js';
import { changed, isLasting, need, sandbox } from './session.js';
import { problem } from './toast.js';

/** The call that the page adds to the tools. It asks the person for a bundle of the branch. */
export const HAND_OVER = 'hand_over';

export interface Step {
  tool: string;
  args: string;
  /** A call that was interrupted by a pending question is repeated when the script continues. */
  state: 'running' | 'done' | 'failed' | 'pending' | 'refused' | 'stopped';
  /** The result as the agent reads it. */
  said: string;
}

export const script = signal('');
export const steps = signal<Step[]>([]);
export const running = signal<AbortController | undefined>(undefined);
/** The next line to call, counted from 0. */
export const next = signal(0);
/** Whether the current or last run covers all remaining lines. */
export const isAll = signal(false);
export const tools = signal<ToolSpec[]>([]);

interface Line {
  at: number;
  tool: string;
  args: string;
}

/** The calls of the script. Empty lines and lines that start with # are not calls. */
export function calls(): Line[] {
  return script.value.split('\n').flatMap((line, at) => {
    const found = /^\s*([a-z_]+)\s*(.*)$/.exec(line);
    return found ? [{ at, tool: found[1] ?? '', args: found[2] || '{}' }] : [];
  });
}

export async function loadTools(): Promise<void> {
  tools.value = await need().tools();
}

function said(tool: string, reply: Reply | Exported): Pick<Step, 'state' | 'said'> {
  if (reply.outcome === 'done') {
    if ('bytes' in reply) return { state: 'done', said: 'The bundle was handed over.' };
    // The call succeeded, but nothing left.
    const isRefused = tool === 'git_push' && pushResult(reply).status === 'conflict';
    return { state: isRefused ? 'refused' : 'done', said: reply.text };
  }
  if (reply.outcome === 'pending') return { state: 'pending', said: `${reply.reason}\n${reply.hint}` };
  const reason = reply.reason && !reply.message.includes(reply.reason) ? `\nReason: ${reply.reason}` : '';
  return { state: 'failed', said: `${reply.kind}: ${reply.message}${reason}\n${reply.hint}` };
}

function parse(text: string): { [name: string]: Json } {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GitgateError('bad-args', `the arguments are not JSON: ${String(error)}`, 'write a JSON object');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new GitgateError('bad-args', 'the arguments are no JSON object', 'write {"name": "value"}');
}

interface Made {
  reply: Reply | Exported;
  /** The downloaded bundle. */
  file?: string | undefined;
}

async function make(one: Sandbox, { tool, args }: Line, signal: AbortSignal, known?: Held): Promise<Made> {
  const given = parse(args);
  if (tool !== HAND_OVER) return { reply: await call(tool, given, { signal }) };
  const branch = typeof given.branch === 'string' ? given.branch : undefined;
  const what = { sandbox: one.name, to: HAND_OVER, branch, isKept: isLasting.value } as const;
  const reply = await keeping(what, signal, () => one.exportBundle(branch, { signal }), known);
  return { reply, file: download(one.name, reply) };
}

async function play(line: Line, signal: AbortSignal, known?: Held): Promise<void> {
  const one = need();
  const begun: Step = { tool: line.tool, args: line.args, state: 'running', said: '' };
  // Steps of another sandbox, or after a restart, do not include it.
  const put = (now: Pick<Step, 'state' | 'said'>): void => {
    steps.value = steps.value.map((step) => (step === begun ? { ...begun, ...now } : step));
  };
  steps.value = [...steps.value.filter(({ state }) => state !== 'stopped'), begun];
  try {
    const { reply, file } = await make(one, line, signal, known);
    put(said(line.tool, reply));
    const isEnd = line.tool === HAND_OVER || line.tool === 'git_push';
    if (isEnd && sandbox.value === one) ended.value = { reply, target: line.tool, file };
  } catch (error) {
    const { message, hint } = problem(error);
    put({ state: 'failed', said: hint ? `${message}\n${hint}` : message });
  } finally {
    changed.value += 1;
  }
}

/** Runs one line, or all remaining ones. A failure is an answer, and the agent continues. */
export async function run(all: boolean, known?: Held): Promise<void> {
  if (running.value) return;
  const off = new AbortController();
  running.value = off;
  isAll.value = all;
  let once = known;
  try {
    for (const line of calls().filter(({ at }) => at >= next.value)) {
      next.value = line.at + 1;
      const first = once;
      once = undefined;
      await play(line, off.signal, first);
      if (!all || off.signal.aborted) break;
    }
  } finally {
    if (running.value === off) running.value = undefined;
  }
}

export function stop(): void {
  if (!running.value) return;
  // Before the end of the agent's question lets the next one through.
  const mine = asked.value.find((one) => sourceOf(one) === SCRIPT);
  running.value.abort();
  mine?.answer({ say: 'later' });
}

/** Not during a call: its result would have no place. */
export function restart(): void {
  if (!running.value) clear();
}

export function clear(): void {
  next.value = 0;
  steps.value = [];
}
