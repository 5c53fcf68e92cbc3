import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

import { asking, overlay } from '../state/dialog.js';
import type { Ask } from '../state/dialog.js';
import { commands } from '../state/keys.js';
import { Button } from './bits.js';
import { Palette } from './palette.js';
import { Plain } from './plain.js';

/**
 * A modal dialog. The browser gives the focus back to where it was. It tells of its end later, when
 * another one may be open.
 */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = place;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={place} aria-label={title} onCancel={close} onClose={() => place.current && close()}>
      {children}
    </dialog>
  );
}

function Asking({ what }: { what: Ask }) {
  const [text, setText] = useState(what.field?.value ?? '');
  const isMissing = what.field?.isRequired === true && text.trim() === '';
  const done = (): void => {
    if (!isMissing) what.done(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || (what.field?.isLong && !(event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    done();
  };
  const common = { value: text, onKeyDown, autofocus: true };
  return (
    <Dialog title={what.title} close={() => what.done(undefined)}>
      <h2>{what.title}</h2>
      <p class="muted">
        <Plain text={what.body} clip={false} />
      </p>
      {what.field && (
        <label class="field">
          <span>{what.field.label}</span>
          {what.field.isLong ? (
            <textarea {...common} rows={5} onInput={(event) => setText(event.currentTarget.value)} />
          ) : (
            <input
              {...common}
              ref={(input) => void (input && (input.type = what.field?.isSecret ? 'password' : 'text'))}
              autocomplete="off"
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </label>
      )}
      <footer>
        {what.field?.isLong && <span class="muted small grow">{what.action}: Ctrl+Enter</span>}
        <Button onClick={() => what.done(undefined)}>Cancel</Button>
        <Button kind={what.isDangerous ? 'danger' : 'primary'} isDisabled={isMissing} onClick={done}>
          {what.action}
        </Button>
      </footer>
    </Dialog>
  );
}

function Keys() {
  const groups = [...new Set(commands.value.map(({ group }) => group))];
  const close = (): void => void (overlay.value = undefined);
  return (
    <Dialog title="Keys" close={close}>
      <h2>Keys</h2>
      <div class="keys">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {commands.value
                .filter((one) => one.group === group)
                .map(({ title, key, also }) => (
                  <li key={title}>
                    <span class="grow">{title}</span>
                    <kbd>{key}</kbd>
                    {also && <kbd>{also}</kbd>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
      <footer>
        <Button onClick={close}>Close</Button>
      </footer>
    </Dialog>
  );
}

export function Dialogs() {
  return (
    <>
      {overlay.value === 'keys' && <Keys />}
      {overlay.value === 'palette' && <Palette />}
      {asking.value && <Asking key={asking.value.title} what={asking.value} />}
    </>
  );
}
