// Joins the parts of a tool's result. If something is still missing, the result says so as the tool does.

import type { Done } from '../reply.js';
import type { ToolArguments, ToolName, ToolResults } from '../tools.js';

/** Calls a tool as the user. */
export type Ask = <T extends ToolName>(tool: T, args: ToolArguments[T]) => Promise<Done<ToolResults[T]>>;

/** The most bytes that a tool returns at a time. */
const max_bytes = 5_000_000;
/** The end of a text that is cut. */
const CUT = '\n\n... [output truncated]';

interface Paged {
  count: number;
  truncated: boolean;
  nextOffset?: number;
}

/** Page after page, until the last one, or until there are `limit` entries. */
async function pages<S extends Paged>(limit: number, ask: (offset: number, limit: number) => Promise<Done<S>>) {
  const all = [await ask(1, limit)];
  let count = all[0]?.structured.count ?? 0;
  for (;;) {
    const next = all.at(-1)?.structured.nextOffset;
    if (next === undefined || next <= count || count >= limit) break;
    const page = await ask(next, limit - count);
    all.push(page);
    count += page.structured.count;
  }
  const text = all.map((page) => (page.text.endsWith(CUT) ? page.text.slice(0, -CUT.length) : page.text)).join('');
  const last = all.at(-1)?.structured.truncated === true;
  return { all, count, text: last ? text + CUT : text };
}

/** Everything below a folder. */
export async function files(ask: Ask, path: string): Promise<Done<ToolResults['list_files']>> {
  const recursive = true;
  const { all, count, text } = await pages(Number.MAX_SAFE_INTEGER, (offset) =>
    ask('list_files', { path, recursive, offset, limit: 4_294_967_295, max_bytes }),
  );
  const entries = all.flatMap(({ structured }) => structured.entries);
  return merged(all, text, { count, entries });
}

/** The latest calls, up to the wanted number. */
export async function history(ask: Ask, wanted: number): Promise<Done<ToolResults['sandbox_history']>> {
  const { all, count, text } = await pages(wanted, (offset, limit) => ask('sandbox_history', { offset, limit }));
  const calls = all.flatMap(({ structured }) => structured.calls);
  return merged(all, text, { count, calls });
}

/** The first page, with all entries, and the last page's note about more. */
function merged<S extends Paged>(all: Done<S>[], text: string, whole: Partial<S>): Done<S> {
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) throw new RangeError('there is a first page');
  return { ...first, text, structured: { ...last.structured, ...whole } };
}

/**
 * The status with all staged commits and all changed files. An agent may change them meanwhile, but no
 * entry appears twice.
 */
export async function status(ask: Ask): Promise<Done<ToolResults['git_status']>> {
  const first = await ask('git_status', { max_bytes });
  let { structured: last } = first;
  let staged = new Map(last.staged.map((one) => [one.commitId, one]));
  const unstaged = new Map(last.unstaged.map((one) => [one.path, one]));
  while ((last.stagedOmitted ?? 0) + (last.unstagedOmitted ?? 0) > 0) {
    const known = staged.size + unstaged.size;
    const page = { max_bytes, skip_staged: staged.size, skip_unstaged: unstaged.size };
    ({ structured: last } = await ask('git_status', page));
    // Earlier commits come first.
    staged = new Map([...last.staged.map((one) => [one.commitId, one] as const), ...staged]);
    for (const one of last.unstaged) unstaged.set(one.path, one);
    if (staged.size + unstaged.size === known) break;
  }
  return { ...first, structured: { ...last, staged: [...staged.values()], unstaged: [...unstaged.values()] } };
}
