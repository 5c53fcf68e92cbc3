// What the form for a new sandbox has, and what becomes of it.

import { signal } from '@preact/signals';
import { GitgateError } from 'gitgate';

import { create, createFromFolder, dropped } from '../../state/create.js';
import type { Dropped } from '../../state/create.js';
import { free } from '../../state/free.js';
import { inMemory, names } from '../../state/meta.js';
import { lastPart, remotes } from '../../state/remote.js';
import { opening } from '../../state/session.js';
import { forgetToken, setToken } from '../../state/token.js';
import { attempt, note, problem } from '../../state/toast.js';
import type { Problem } from '../../state/toast.js';

export const KINDS = ['empty', 'github', 'bundle', 'folder', 'server'] as const;
type Kind = (typeof KINDS)[number];
export const WORDS: { [kind in Kind]: string } = {
  empty: 'Empty',
  github: 'GitHub',
  bundle: 'Bundle',
  folder: 'Folder',
  server: 'Server',
};

export const kind = signal<Kind>('empty');
export const name = signal('');
export const repo = signal('');
export const branch = signal('');
export const token = signal('');
export const isKept = signal(false);
export const base = signal('');
/** Where gitgate serves this page, it serves sandboxes beside it. */
const HERE = `${location.origin}/sandboxes/`;
export const url = signal(HERE);
/** Not that of GitHub: each goes where it was given for. */
export const serverToken = signal('');
export const bundle = signal<File | undefined>(undefined);
export const folder = signal<{ name: string; files: Dropped[] } | undefined>(undefined);
export const isOver = signal(false);

const known = (): string[] => [...(names.value ?? []), ...inMemory.value, ...remotes.value.keys()];

/** A name that no sandbox has, from what it begins with. */
export function fallback(): string {
  const wanted = {
    empty: 'sandbox',
    github: repo.value.trim().split('/').at(-1) || 'repository',
    bundle: bundle.value?.name.replace(/\.bundle$/, '') ?? 'bundle',
    folder: folder.value?.name ?? 'folder',
    server: url.value.trim() === HERE ? 'sandbox' : lastPart(url.value) || 'sandbox',
  }[kind.value];
  return free(wanted, known());
}

function clear(): void {
  name.value = repo.value = branch.value = base.value = token.value = serverToken.value = '';
  bundle.value = folder.value = undefined;
  url.value = HERE;
}

export const wrong = signal<Problem | undefined>(undefined);

async function begin(title: string): Promise<void> {
  const on = branch.value.trim() ? { branch: branch.value.trim() } : {};
  if (kind.value === 'github') {
    const from = { github: repo.value.trim(), ...on };
    const where = base.value.trim();
    // The token of a sandbox that is there stays what it is.
    if (known().includes(title)) {
      throw new GitgateError('usage', `there is a sandbox '${title}' already`, 'choose another name');
    }
    if (token.value.trim()) setToken(title, token.value.trim(), isKept.value);
    try {
      return await create(title, { from, origin: `GitHub ${from.github}`, ...(where && { base: where }) });
    } catch (error) {
      forgetToken(title);
      throw error;
    }
  }
  if (kind.value === 'bundle' && bundle.value) {
    const bytes = new Uint8Array(await bundle.value.arrayBuffer());
    return create(title, { from: { bundle: bytes, ...on }, origin: `bundle ${bundle.value.name}` });
  }
  if (kind.value === 'server') {
    const server = { url: url.value.trim(), token: serverToken.value.trim() };
    return create(title, { server, origin: `server ${URL.canParse(server.url) ? new URL(server.url).host : ''}` });
  }
  if (kind.value === 'folder') return createFromFolder(title, folder.value?.files ?? []);
  return create(title, { origin: 'begun empty' });
}

export async function make(): Promise<void> {
  if (opening.value) return;
  wrong.value = undefined;
  try {
    await begin(name.value.trim() || fallback());
    clear();
  } catch (error) {
    const isOff = error instanceof GitgateError && error.kind === 'interrupted';
    if (isOff) note('It was called off, and nothing of it is left.');
    else wrong.value = problem(error, kind.value === 'github' ? base.value.trim() : undefined);
  }
}

/** A folder can be dropped anywhere on the start screen. */
export const dropping = {
  onDragOver: (event: DragEvent): void => {
    event.preventDefault();
    kind.value = 'folder';
    isOver.value = true;
  },
  onDragLeave: (): void => void (isOver.value = false),
  onDrop: (event: DragEvent): void => {
    event.preventDefault();
    isOver.value = false;
    kind.value = 'folder';
    const { dataTransfer } = event;
    if (dataTransfer) attempt(async () => void (folder.value = await dropped(dataTransfer.items)));
  },
};

export function choose(input: HTMLInputElement): void {
  const files = [...(input.files ?? [])];
  folder.value = {
    name: files[0]?.webkitRelativePath.split('/')[0] || 'folder',
    files: files.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file })),
  };
}
