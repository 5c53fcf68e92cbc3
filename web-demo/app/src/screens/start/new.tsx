import type { ComponentChildren } from 'preact';

import { Busy, Trouble } from '../../parts/bits.js';
import { Name } from '../../parts/plain.js';
import { importing } from '../../state/create.js';
import { identity } from '../../state/prefs.js';
import { opening, progress } from '../../state/session.js';
import {
  KINDS,
  WORDS,
  base,
  branch,
  bundle,
  choose,
  fallback,
  folder,
  isKept,
  isOver,
  kind,
  make,
  name,
  repo,
  serverToken,
  token,
  url,
  wrong,
} from './form.js';

function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <span class="muted small">{hint}</span>}
    </label>
  );
}

function Branch({ fallback }: { fallback: string }) {
  return (
    <Field label="Branch" hint={`Empty: ${fallback}`}>
      <input value={branch} onInput={(event) => (branch.value = event.currentTarget.value)} />
    </Field>
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
      <Branch fallback="the default branch" />
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

function Server() {
  return (
    <>
      <Field label="Address" hint="https, or http on this machine">
        <input
          required
          inputMode="url"
          pattern="\s*\S+\/sandboxes\/[^\/\s]+\s*"
          title="The address of one sandbox: …/sandboxes/NAME"
          value={url}
          onInput={(event) => (url.value = event.currentTarget.value)}
        />
      </Field>
      <Field
        label="Token"
        hint="A reviewer's or an owner's. It stays in memory of this page, and goes to this server only."
      >
        <input
          required
          type="password"
          autocomplete="off"
          value={serverToken}
          onInput={(event) => (serverToken.value = event.currentTarget.value)}
        />
      </Field>
    </>
  );
}

function Folder() {
  return (
    <div class={`drop ${isOver.value ? 'over' : ''}`}>
      {folder.value ? (
        <span>
          <Name text={folder.value.name} mono />, {folder.value.files.length} files
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
  const isServer = kind.value === 'server';
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
          <>
            <Field label="Bundle" hint="As git bundle writes it">
              <input type="file" required onChange={(event) => (bundle.value = event.currentTarget.files?.[0])} />
            </Field>
            <Branch fallback="where its HEAD is" />
          </>
        )}
        {kind.value === 'folder' && <Folder />}
        {isServer && <Server />}
        <Field label="Name" {...(isServer && { hint: 'What it is called here' })}>
          <input
            maxLength={100}
            placeholder={fallback()}
            value={name}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </Field>
        {!isServer && (
          <Field label="Commits are made as">
            <input
              placeholder="You <you@example.org>"
              value={identity}
              onInput={(event) => (identity.value = event.currentTarget.value)}
            />
          </Field>
        )}
        {wrong.value && <Trouble {...wrong.value} />}
        <button type="submit" class="button primary" aria-disabled={isBusy ? 'true' : undefined}>
          <span>{isServer ? 'Open the sandbox' : 'Make the sandbox'}</span>
        </button>
        {isBusy && (
          <Busy
            what={progress.value.at(-1) ?? (isServer ? 'Opening it' : 'Making it')}
            stop={() => opening.value?.abort()}
          />
        )}
        {work && <Busy what={`Importing ${work.done} of ${work.all} files`} stop={() => work.off.abort()} />}
      </form>
    </section>
  );
}
