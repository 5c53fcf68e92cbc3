// How a new sandbox gets its repository.

import type { From } from '../protocol.js';
import type { ShimCall, ShimHost } from './shim.js';

/** What a bundle is called where a repository has its path. */
const PLACE = '/imported.bundle';

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
    return [user('sandbox_import', text, attached)];
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
