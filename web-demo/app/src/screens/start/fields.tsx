// The fields of the form for a new sandbox.

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

import { Name } from '../../parts/plain.js';
import { size } from '../../parts/bits.js';
import { identity } from '../../state/prefs.js';
import { chooseBundle, chooseFolder } from './drop.js';
import { base, branch, bundle, fallback, folder, isKept, name, pushTo, serverToken, token, url } from './form.js';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  isWide?: boolean;
  children: ComponentChildren;
}

export function Field({ label, hint, isWide = false, children }: FieldProps) {
  return (
    <label class={isWide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
      {hint && <span class="muted small">{hint}</span>}
    </label>
  );
}

interface LineProps {
  of: Signal<string>;
  placeholder?: string;
  isSecret?: boolean;
  isRequired?: boolean;
  isAddress?: boolean;
  most?: number;
}

function Line({ of, placeholder, isSecret = false, isRequired = false, isAddress = false, most }: LineProps) {
  const common = {
    autocomplete: 'off',
    spellcheck: false,
    required: isRequired,
    value: of,
    onInput: (event: { currentTarget: HTMLInputElement }) => void (of.value = event.currentTarget.value),
    ...(placeholder !== undefined && { placeholder }),
    ...(isAddress && { inputMode: 'url' as const }),
    ...(most !== undefined && { maxLength: most }),
  };
  return isSecret ? <input type="password" {...common} /> : <input {...common} />;
}

const Branch = ({ otherwise }: { otherwise: string }) => (
  <Field label="Branch">
    <Line of={branch} placeholder={otherwise} />
  </Field>
);

export function GitHubFields() {
  return (
    <>
      <Branch otherwise="Default branch" />
      <Field label="Pushes go to">
        <Line of={pushTo} placeholder="A branch of its own, agent/NAME" />
      </Field>
      <Field
        label="Token"
        hint="Fine-grained, with read and write access to contents. Not needed to read what is public."
      >
        <Line of={token} isSecret />
      </Field>
    </>
  );
}

export const Keep = () => (
  <label class="check wide">
    <input type="checkbox" checked={isKept} onChange={(event) => (isKept.value = event.currentTarget.checked)} />
    Keep the token until I close this tab
  </label>
);

export function Advanced() {
  return (
    <details class="wide" open={base.value !== ''}>
      <summary>Advanced</summary>
      <Field label="API address" hint="For GitHub Enterprise Server.">
        <Line of={base} placeholder="https://api.github.com" isAddress />
      </Field>
    </details>
  );
}

export const ServerToken = () => (
  <Field label="Token" hint="A reviewer’s or an owner’s. It stays in this page’s memory and goes to this server only.">
    <Line of={serverToken} isSecret isRequired />
  </Field>
);

export const ServerAddress = () => (
  <Field label="Address" hint="https, or http on this computer" isWide>
    <Line of={url} isAddress />
  </Field>
);

/** The place to drop or choose a file or folder. */
function Drop({ children }: { children: ComponentChildren }) {
  return <div class="drop wide">{children}</div>;
}

export function BundleFields() {
  const file = bundle.value;
  return (
    <>
      <Drop>
        {file ? (
          <span>
            <Name text={file.name} mono />, {size(file.size)}
          </span>
        ) : (
          <span>Drop a file from git bundle, or choose one</span>
        )}
        <input
          type="file"
          aria-label="Bundle"
          onChange={(event) => chooseBundle(event.currentTarget.files?.[0] ?? undefined)}
        />
      </Drop>
      <Branch otherwise="Where its HEAD is" />
    </>
  );
}

export function FolderFields() {
  return (
    <Drop>
      {folder.value ? (
        <span>
          <Name text={folder.value.name} mono />, {folder.value.files.length} files
        </span>
      ) : (
        <span>Drop a folder, or choose one</span>
      )}
      <input
        ref={(input) => input?.setAttribute('webkitdirectory', '')}
        type="file"
        aria-label="Folder"
        onChange={(event) => chooseFolder(event.currentTarget)}
      />
    </Drop>
  );
}

export function Titles({ isServer }: { isServer: boolean }) {
  return (
    <>
      <Field label="Name" {...(isServer && { hint: 'In this browser' })}>
        <Line of={name} placeholder={fallback()} most={100} />
      </Field>
      {!isServer && (
        <Field label="Commit author">
          <Line of={identity} placeholder="You <you@example.org>" />
        </Field>
      )}
    </>
  );
}
