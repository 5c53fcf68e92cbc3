import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Busy, Trouble } from '../../parts/bits.js';
import { Plain } from '../../parts/plain.js';
import { create, createFromFolder, dropped, importing } from '../../state/create.js';
import type { Dropped } from '../../state/create.js';
import { inMemory, names } from '../../state/meta.js';
import { identity } from '../../state/prefs.js';
import { opening, progress, setToken } from '../../state/session.js';
import { attempt, problem } from '../../state/toast.js';
import type { Problem } from '../../state/toast.js';

const KINDS = ['empty', 'github', 'bundle', 'folder'] as const;
type Kind = (typeof KINDS)[number];
const WORDS: { [kind in Kind]: string } = { empty: 'Empty', github: 'GitHub', bundle: 'Bundle', folder: 'Folder' };

const kind = signal<Kind>('empty');
const name = signal('');
const repo = signal('');
const branch = signal('');
const token = signal('');
const isKept = signal(false);
const base = signal('');
const bundle = signal<File | undefined>(undefined);
const folder = signal<{ name: string; files: Dropped[] } | undefined>(undefined);
const isOver = signal(false);

/** A name that no sandbox has, from what it begins with. */
function fallback(): string {
  const wanted = {
    empty: 'sandbox',
    github: repo.value.trim().split('/').at(-1) || 'repository',
    bundle: bundle.value?.name.replace(/\.bundle$/, '') ?? 'bundle',
    folder: folder.value?.name ?? 'folder',
  }[kind.value];
  const taken = [...(names.value ?? []), ...inMemory.value];
  let free = wanted;
  for (let count = 2; taken.includes(free); count += 1) free = `${wanted}-${count}`;
  return free;
}

function clear(): void {
  name.value = repo.value = branch.value = base.value = token.value = '';
  bundle.value = folder.value = undefined;
}

const wrong = signal<Problem | undefined>(undefined);

async function begin(title: string): Promise<void> {
  if (kind.value === 'github') {
    const from = { github: repo.value.trim(), ...(branch.value.trim() && { branch: branch.value.trim() }) };
    const where = base.value.trim();
    if (token.value) setToken(title, token.value.trim(), isKept.value);
    return create(title, { from, origin: `GitHub ${from.github}`, ...(where && { base: where }) });
  }
  if (kind.value === 'bundle' && bundle.value) {
    const bytes = new Uint8Array(await bundle.value.arrayBuffer());
    return create(title, { from: { bundle: bytes }, origin: `bundle ${bundle.value.name}` });
  }
  if (kind.value === 'folder') return createFromFolder(title, folder.value?.files ?? []);
  return create(title, { origin: 'empty' });
}

async function make(): Promise<void> {
  if (opening.value) return;
  wrong.value = undefined;
  try {
    await begin(name.value.trim() || fallback());
    clear();
  } catch (error) {
    wrong.value = problem(error);
  }
}

function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <span class="muted small">{hint}</span>}
    </label>
  );
}

function GitHub() {
  return (
    <>
      <Field label="Repository">
        <input
          required
          pattern="\s*[^\/\s]+\/[^\/\s]+\s*"
          placeholder="owner/repo"
          value={repo}
          onInput={(event) => (repo.value = event.currentTarget.value)}
        />
      </Field>
      <Field label="Branch" hint="Empty: the default branch">
        <input value={branch} onInput={(event) => (branch.value = event.currentTarget.value)} />
      </Field>
      <Field label="Token" hint="Fine-grained, with read and write of contents. It stays in memory of this page.">
        <input
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => (token.value = event.currentTarget.value)}
        />
      </Field>
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={(event) => (isKept.value = event.currentTarget.checked)} />
        Keep the token until this tab is closed
      </label>
      <details>
        <summary>Advanced</summary>
        <Field label="Address of the API" hint="For GitHub Enterprise. Empty: https://api.github.com">
          <input
            inputMode="url"
            placeholder="https://HOST/api/v3"
            value={base}
            onInput={(event) => (base.value = event.currentTarget.value)}
          />
        </Field>
      </details>
    </>
  );
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

function choose(input: HTMLInputElement): void {
  const files = [...(input.files ?? [])];
  folder.value = {
    name: files[0]?.webkitRelativePath.split('/')[0] || 'folder',
    files: files.map((file) => ({ path: file.webkitRelativePath.split('/').slice(1).join('/'), file })),
  };
}

function Folder() {
  return (
    <div class={`drop ${isOver.value ? 'over' : ''}`}>
      {folder.value ? (
        <span>
          <Plain text={folder.value.name} mono />, {folder.value.files.length} files
        </span>
      ) : (
        <span>Drop a folder on this page, or choose one</span>
      )}
      <input
        ref={(input) => input?.setAttribute('webkitdirectory', '')}
        type="file"
        aria-label="Folder"
        onChange={(event) => choose(event.currentTarget)}
      />
    </div>
  );
}

export function New() {
  const isBusy = opening.value !== undefined;
  const work = importing.value;
  return (
    <section aria-labelledby="new" class="new">
      <h2 id="new">New</h2>
      <div class="segments" role="group" aria-label="What it begins with">
        {KINDS.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={kind.value === one}
            onClick={() => {
              kind.value = one;
              wrong.value = undefined;
            }}
          >
            {WORDS[one]}
          </button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {kind.value === 'github' && <GitHub />}
        {kind.value === 'bundle' && (
          <Field label="Bundle" hint="As git bundle writes it">
            <input type="file" required onChange={(event) => (bundle.value = event.currentTarget.files?.[0])} />
          </Field>
        )}
        {kind.value === 'folder' && <Folder />}
        <Field label="Name">
          <input
            maxLength={100}
            placeholder={fallback()}
            value={name}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </Field>
        <Field label="Commits are made as">
          <input
            placeholder="You <you@example.org>"
            value={identity}
            onInput={(event) => (identity.value = event.currentTarget.value)}
          />
        </Field>
        {wrong.value && <Trouble {...wrong.value} />}
        <button type="submit" class="button primary" aria-disabled={isBusy ? 'true' : undefined}>
          <span>{isBusy ? `${progress.value.at(-1) ?? 'Making it'}…` : 'Make the sandbox'}</span>
        </button>
        {work && <Busy what={`Importing ${work.done} of ${work.all} files`} stop={() => work.off.abort()} />}
      </form>
    </section>
  );
}
