// Where a person's own push goes, if not where its branch came from.

import { signal } from '@preact/signals';
import type { ToolArguments } from 'gitgate';

type Target = NonNullable<ToolArguments['git_push']['target']>;

export interface Destination {
  target: Target;
  /** Whether a pull request is opened for the branch once it is there. */
  isProposed: boolean;
}

/** What the dialog begins with. */
export interface Choosing {
  /** As a review names it, such as `github:owner/repo`. */
  target: string;
  /** Where it would go otherwise. */
  branch: string;
  /** The name of a new branch. */
  fresh: string;
  /** Whether the push is asked about already, so that this one ends and another begins. */
  isAsked: boolean;
}

export const choosing = signal<Choosing | undefined>(undefined);

const TYPES = { github: 'github', local: 'local', bare: 'local-bare' } as const;

/** The target with its branch, as the tool takes it. */
export function targetOf(named: string, branch: string): Target | undefined {
  const [, kind, where = ''] = /^(github|local|bare):(.+)$/s.exec(named) ?? [];
  if (kind === 'github') return { type: 'github', repo: where, branch };
  if (kind === 'local' || kind === 'bare') return { type: TYPES[kind], path: where, branch };
  return undefined;
}

/** A name for a branch from what its last commit says, as git takes it anywhere. */
export function slug(subject: string): string {
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}+/gu, '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, 50).replace(/-+$/, '');
}

/** As git asks of the name of a branch. */
export const isBranch = (name: string): boolean =>
  /^(?![-/.])[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u.test(name) && !/\.\.|\/\/|@\{|\/\.|\.lock(\/|$)|^@$/.test(name);
