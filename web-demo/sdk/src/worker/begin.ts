// How a new sandbox gets its repository.

import { GitgateError } from '../error.js';
import type { From } from '../protocol.js';
import type { ToolArguments } from '../tools.js';
import type { ShimCall, ShimHost } from './shim.js';

/** What a bundle is called where a repository has its path. */
const PLACE = '/imported.bundle';
const BRANCHES = 'refs/heads/';
/** Where the refs are kept that a bundle had: what they reach is not staged. */
const TRACKING = 'refs/remotes/bundle/';

export interface First {
  call: ShimCall;
  attached: Uint8Array[];
}

const user = (tool: string, text: string, attached: Uint8Array[] = []): First => ({
  call: { tool, arguments: text, caller: 'user' },
  attached,
});

/** The first calls in a new sandbox. Whoever opens it has asked for them. */
export function first(from: From | undefined, host: ShimHost): First[] {
  if (!from) return [user('sandbox_import', '{}')];
  if ('bundle' in from) {
    const { arguments: text, attached } = host.bundle(from.bundle, PLACE);
    // The host has made them for that tool.
    const given: ToolArguments['sandbox_import'] = JSON.parse(text);
    return [user('sandbox_import', JSON.stringify(tracked(at(given, from.branch))), attached)];
  }
  const { github, branch, paths, depth } = from;
  const source = { type: 'github', repo: github, branch };
  return [user('sandbox_import', '{}'), user('git_pull', JSON.stringify({ source, paths, depth }))];
}

/** The targets that an agent may name: where the sandbox comes from. */
export function targets(from: From | undefined): string[] {
  // Names of owners and repositories ignore case, and a target is spelled in lower case.
  return from && 'github' in from ? [`github:${from.github.toLowerCase()}`] : [];
}

type Import = ToolArguments['sandbox_import'];

/** HEAD at that branch, else where the bundle has it, else at the only branch. */
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

/** With tracking refs, as a clone of a bundle has them. */
function tracked(given: Import): Import {
  const refs = given.refs ?? [];
  const tracking = refs
    .filter(({ name }) => name.startsWith(BRANCHES))
    .map(({ name, id }) => ({ name: TRACKING + name.slice(BRANCHES.length), id }));
  // A HEAD without a branch has commits that no branch may reach.
  if (given.head && 'detached' in given.head) tracking.push({ name: `${TRACKING}HEAD`, id: given.head.detached });
  const taken = new Set(refs.map(({ name }) => name));
  return { ...given, refs: [...refs, ...tracking.filter(({ name }) => !taken.has(name))] };
}
