// The state of the form for a new sandbox, and what it creates.

import { computed, signal } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { create, createFromFolder } from '../../state/create.js';
import type { Dropped } from '../../state/create.js';
import { free } from '../../state/free.js';
import { inMemory, names } from '../../state/meta.js';
import { lastPart, remotes } from '../../state/remote.js';
import { opening } from '../../state/session.js';
import { forgetToken, setToken } from '../../state/token.js';
import { note, problem } from '../../state/toast.js';
import type { Problem } from '../../state/toast.js';
import { readAddress } from './address.js';
import type { Source } from './address.js';

export const KINDS = ['address', 'empty', 'github', 'bundle', 'folder', 'server'] as const;
export type Kind = (typeof KINDS)[number];
export const WORDS: { [kind in Kind]: string } = {
  address: 'Address',
  empty: 'Empty',
  github: 'GitHub',
  bundle: 'Bundle',
  folder: 'Folder',
  server: 'Server',
};

export const kind = signal<Kind>('address');
export const name = signal('');
/** A repository or a server, as typed. */
export const address = signal('');
export const branch = signal('');
/** The branch that pushes go to. */
export const pushTo = signal('');
export const token = signal('');
export const isKept = signal(false);
export const base = signal('');
/** If gitgate serves this page, it serves sandboxes beside it. */
const HERE = `${location.origin}/sandboxes/`;
export const url = signal(HERE);
/** Not GitHub's token: each goes only where it was given for. */
export const serverToken = signal('');
export const bundle = signal<File | undefined>(undefined);
export const folder = signal<{ name: string; files: Dropped[] } | undefined>(undefined);
export const wrong = signal<Problem | undefined>(undefined);

/** What the address refers to, as soon as it refers to something. */
export const source = computed<Source | undefined>(() => {
  try {
    return readAddress(address.value);
  } catch {
    // It is incomplete so far. Submitting reports the errors.
    return undefined;
  }
});

/** The visible form. The address decides which one. */
export const shape = computed<Kind>(() => (kind.value === 'address' ? (source.value?.kind ?? 'address') : kind.value));

/** Values filled in from an address. The person's own input stays. */
let filled = { branch: '', base: '' };

export function writeAddress(text: string): void {
  address.value = text;
  const named = source.value?.kind === 'github' ? source.value : undefined;
  const now = { branch: named?.branch ?? '', base: named?.base ?? '' };
  if (branch.value === filled.branch) branch.value = now.branch;
  if (base.value === filled.base) base.value = now.base;
  filled = now;
}

export function choose(one: Kind): void {
  kind.value = one;
  wrong.value = undefined;
}

const known = (): string[] => [...(names.value ?? []), ...inMemory.value, ...remotes.value.keys()];

/** The default name of a sandbox. */
function wanted(): string {
  const found = source.value;
  switch (kind.value) {
    case 'bundle':
      return bundle.value?.name.replace(/\.bundle$/, '') ?? 'bundle';
    case 'folder':
      return folder.value?.name ?? 'folder';
    case 'server':
      return url.value.trim() === HERE ? 'sandbox' : lastPart(url.value) || 'sandbox';
    case 'empty':
      return 'sandbox';
    default:
      return (found && lastPart(found.kind === 'github' ? found.repo : found.url)) || 'repository';
  }
}

/** An unused name. */
export const fallback = (): string => free(wanted(), known());

function clear(): void {
  kind.value = 'address';
  name.value = branch.value = pushTo.value = base.value = token.value = serverToken.value = address.value = '';
  filled = { branch: '', base: '' };
  bundle.value = folder.value = undefined;
  url.value = HERE;
}

const on = (): { branch?: string } => (branch.value.trim() ? { branch: branch.value.trim() } : {});

async function fromGitHub(title: string, repo: string): Promise<void> {
  const where = base.value.trim();
  // The token of an existing sandbox stays.
  if (known().includes(title)) {
    throw new GitgateError('usage', `there is a sandbox '${title}' already`, 'choose another name');
  }
  if (token.value.trim()) setToken(title, token.value.trim(), isKept.value);
  const from = { github: repo, ...on() };
  const to = pushTo.value.trim();
  try {
    await create(title, { from, origin: `GitHub ${repo}`, ...(to && { pushTo: to }), ...(where && { base: where }) });
  } catch (error) {
    forgetToken(title);
    throw error;
  }
}

/** The input, if it is of the kind that the form accepts. */
function sourceOf<K extends Source['kind']>(text: string, kind: K): Extract<Source, { kind: K }> {
  const found = readAddress(text);
  const isIt = (one: Source): one is Extract<Source, { kind: K }> => one.kind === kind;
  if (isIt(found)) return found;
  const [what, where] = found.kind === 'server' ? ['a sandbox on a server', 'Server'] : ['a repository', 'GitHub'];
  throw new GitgateError('usage', `this is the address of ${what}`, `choose ${where} for it`);
}

async function begin(): Promise<void> {
  const title = name.value.trim() || fallback();
  switch (kind.value === 'address' ? readAddress(address.value).kind : kind.value) {
    case 'github':
      return fromGitHub(title, sourceOf(address.value, 'github').repo);
    case 'server': {
      const { url: where } = sourceOf(kind.value === 'server' ? url.value : address.value, 'server');
      const server = { url: where, token: serverToken.value.trim() };
      return create(title, { server, origin: `server ${new URL(where).host}` });
    }
    case 'bundle': {
      if (!bundle.value) throw new GitgateError('usage', 'no bundle is chosen', 'choose a file that git bundle wrote');
      const bytes = new Uint8Array(await bundle.value.arrayBuffer());
      return create(title, { from: { bundle: bytes, ...on() }, origin: `bundle ${bundle.value.name}` });
    }
    case 'folder':
      return createFromFolder(title, folder.value?.files ?? []);
    default:
      return create(title, { origin: 'begun empty' });
  }
}

export async function make(): Promise<void> {
  if (opening.value) return;
  wrong.value = undefined;
  try {
    await begin();
    clear();
  } catch (error) {
    const isOff = error instanceof GitgateError && error.kind === 'interrupted';
    if (isOff) note('Canceled. Nothing was created.');
    else wrong.value = problem(error, shape.value === 'github' ? base.value.trim() : undefined);
  }
}
