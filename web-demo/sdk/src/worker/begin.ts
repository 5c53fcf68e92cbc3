// Creates the repository of a new sandbox.

import { GitgateError } from '../error.js';
import type { From } from '../protocol.js';
import type { ToolArguments } from '../tools.js';
import type { ShimCall, ShimHost } from './shim.js';

/** The name of a bundle in place of a repository's path. */
const PLACE = '/imported.bundle';
const BRANCHES = 'refs/heads/';
/** Holds the refs of the bundle: commits that they reach are not staged. */
const TRACKING = 'refs/remotes/bundle/';

export interface First {
  call: ShimCall;
  attached: Uint8Array[];
}

const user = (tool: string, text: string, attached: Uint8Array[] = []): First => ({
  call: { tool, arguments: text, caller: 'user' },
  attached,
});

/** The first calls in a new sandbox. Opening it implies permission for them. */
export function first(from: From | undefined, host: ShimHost): First[] {
  if (!from) return [user('sandbox_import', '{}')];
  if ('bundle' in from) {
    const { arguments: text, attached } = host.bundle(from.bundle, PLACE);
    // The host creates these arguments for exactly that tool.
    const given: ToolArguments['sandbox_import'] = JSON.parse(text);
    return [user('sandbox_import', JSON.stringify(tracked(at(given, from.branch))), attached)];
  }
  const { branch, paths, depth } = from;
  const source = { ...place(from), branch };
  return [user('sandbox_import', '{}'), user('git_pull', JSON.stringify({ source, paths, depth }))];
}

/** The repository that a new sandbox comes from, as a target. */
export function origin(from: From | undefined): string | undefined {
  if (!from || 'bundle' in from) return undefined;
  const { type, repo } = place(from);
  return `${type}:${repo}`;
}

function place(from: Exclude<From, { bundle: Uint8Array }>): { type: 'github' | 'git'; repo: string } {
  return 'github' in from ? { type: 'github', repo: from.github } : { type: 'git', repo: from.git };
}

type Import = ToolArguments['sandbox_import'];

/** HEAD is at the wanted branch, or else where the bundle has it, or else at the only branch. */
function at(given: Import, branch: string | undefined): Import {
  const branches = (given.refs ?? []).map(({ name }) => name).filter((name) => name.startsWith(BRANCHES));
  if (branch === undefined) {
    const [only, ...others] = branches;
    return given.head || !only || others.length > 0 ? given : { ...given, head: { branch: only } };
  }
  const wanted = BRANCHES + branch;
  if (branches.includes(wanted)) return { ...given, head: { branch: wanted } };
  const names = branches.map((name) => name.slice(BRANCHES.length)).join(', ');
  const hint = names ? `name one of its branches: ${names}` : 'it has no branches';
  throw new GitgateError('usage', `the bundle has no branch '${branch}'`, hint);
}

/** With remote-tracking refs, like a clone of a bundle. */
function tracked(given: Import): Import {
  const refs = given.refs ?? [];
  const tracking = refs
    .filter(({ name }) => name.startsWith(BRANCHES))
    .map(({ name, id }) => ({ name: TRACKING + name.slice(BRANCHES.length), id }));
  // A detached HEAD may have commits that no branch reaches.
  if (given.head && 'detached' in given.head) tracking.push({ name: `${TRACKING}HEAD`, id: given.head.detached });
  const taken = new Set(refs.map(({ name }) => name));
  return { ...given, refs: [...refs, ...tracking.filter(({ name }) => !taken.has(name))] };
}
