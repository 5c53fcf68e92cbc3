// The destination of a person's own push, if it is not the branch's origin.

import { signal } from '@preact/signals';
import type { ToolArguments } from 'gitgate';

type Target = NonNullable<ToolArguments['git_push']['target']>;

export interface Destination {
  target: Target;
  /** Whether to open a pull request for the branch after the push. */
  isProposed: boolean;
}

/** The initial values of the dialog. */
export interface Choosing {
  /** The target in a review's form, such as `github:owner/repo`. */
  target: string;
  /** The default destination. */
  branch: string;
  /** The name of a new branch. */
  fresh: string;
  /** Whether the push's question is open already, so that this push must end and another begin. */
  isAsked: boolean;
}

export const choosing = signal<Choosing | undefined>(undefined);

const TYPES = { github: 'github', local: 'local', bare: 'local-bare' } as const;

/** The target with its branch, in the tool's form. */
export function targetOf(named: string, branch: string): Target | undefined {
  const [, kind, where = ''] = /^(github|local|bare):(.+)$/s.exec(named) ?? [];
  if (kind === 'github') return { type: 'github', repo: where, branch };
  if (kind === 'local' || kind === 'bare') return { type: TYPES[kind], path: where, branch };
  return undefined;
}

/** A branch name from the subject of its last commit, valid in every git. */
export function slug(subject: string): string {
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}+/gu, '')
    .match(/[a-z0-9]+/g);
  return (words ?? []).join('-').slice(0, 50).replace(/-+$/, '');
}

/** git's rules for branch names. */
export const isBranch = (name: string): boolean =>
  /^(?![-/.])[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u.test(name) && !/\.\.|\/\/|@\{|\/\.|\.lock(\/|$)|^@$/.test(name);
