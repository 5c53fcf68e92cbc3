import { Busy, Trouble } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import { Name } from '../../parts/plain.js';
import { importing } from '../../state/create.js';
import { opening, progress } from '../../state/session.js';
import {
  Advanced,
  BundleFields,
  Field,
  FolderFields,
  GitHubFields,
  Keep,
  ServerAddress,
  ServerToken,
  Titles,
} from './fields.js';
import { KINDS, WORDS, address, base, choose, kind, make, shape, source, writeAddress, wrong } from './form.js';

const LABELS = { address: 'GitHub repository or gitgate server', github: 'Repository' };

/** How the form understood the address. */
function Read() {
  const found = source.value;
  if (!found) {
    return (
      <span class="muted small">
        For example owner/repo, https://github.com/owner/repo or https://HOST/sandboxes/NAME
      </span>
    );
  }
  const isServer = found.kind === 'server';
  const at = isServer ? found.url : base.value.trim();
  const host = URL.canParse(at) ? new URL(at).host : 'github.com';
  return (
    <span class="small read" role="status">
      <Icon name="check" />
      {isServer ? 'Sandbox on' : 'Repository on'} <Name text={host} />
      {!isServer && found.base && ' (GitHub Enterprise)'}
    </span>
  );
}

function Submit() {
  return (
    <button type="submit" class="button primary" aria-disabled={opening.value ? 'true' : undefined}>
      <span>{shape.value === 'server' ? 'Connect' : 'Create sandbox'}</span>
    </button>
  );
}

function Address({ label }: { label: string }) {
  return (
    <div class="wide address">
      <div class="address-row">
        <Field label={label}>
          <input
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            placeholder={kind.value === 'github' ? 'owner/repo' : 'owner/repo or https://…'}
            value={address}
            onInput={(event) => writeAddress(event.currentTarget.value)}
          />
        </Field>
        {/* As long as nothing else is asked. */}
        {shape.value === 'address' && <Submit />}
      </div>
      <Read />
    </div>
  );
}

function Kinds() {
  return (
    <div class="segments kinds" role="group" aria-label="Start from">
      {KINDS.map((one) => (
        <button type="button" key={one} aria-pressed={kind.value === one} onClick={() => choose(one)}>
          {WORDS[one]}
        </button>
      ))}
    </div>
  );
}

function Working({ isServer }: { isServer: boolean }) {
  const work = importing.value;
  return (
    <>
      {opening.value && (
        <Busy
          what={progress.value.at(-1) ?? (isServer ? 'Connecting' : 'Creating the sandbox')}
          stop={() => opening.value?.abort()}
        />
      )}
      {work && <Busy what={`Importing ${work.done} of ${work.all} files`} stop={() => work.off.abort()} />}
    </>
  );
}

export function New() {
  const now = shape.value;
  const isServer = now === 'server';
  const isAddress = kind.value === 'address' || kind.value === 'github';
  return (
    <section aria-labelledby="new" class="new">
      <h2 id="new">New sandbox</h2>
      <Kinds />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <div class="new-fields">
          {isAddress && <Address label={kind.value === 'github' ? LABELS.github : LABELS.address} />}
          {now === 'github' && <GitHubFields />}
          {now === 'bundle' && <BundleFields />}
          {now === 'folder' && <FolderFields />}
          {kind.value === 'server' && <ServerAddress />}
          {isServer && <ServerToken />}
          {now !== 'address' && <Titles isServer={isServer} />}
          {now === 'github' && <Keep />}
          {now === 'github' && <Advanced />}
        </div>
        {wrong.value && <Trouble {...wrong.value} />}
        <div class="new-end">
          <Working isServer={isServer} />
          {now !== 'address' && <Submit />}
        </div>
      </form>
      <p class="muted small">Or drop a folder or a .bundle file anywhere on this page.</p>
    </section>
  );
}
