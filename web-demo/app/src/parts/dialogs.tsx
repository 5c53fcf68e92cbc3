import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

import { asking, keepTyped, overlay, typedIn } from '../state/dialog.js';
import type { Ask } from '../state/dialog.js';
import { commands } from '../state/keys.js';
import { Button } from './bits.js';
import { Palette } from './palette.js';
import { Plain } from './plain.js';

function focusedNow(): Element | null {
  let now = document.activeElement;
  while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
  return now;
}

/**
 * A modal dialog. It returns the focus to the previous element. The browser reports its end later, when
 * another dialog may be open.
 */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = place;
    const before = focusedNow();
    current?.showModal();
    return () => {
      current?.close();
      // The dialog has already left the page, so the browser does not restore the focus.
      if (document.activeElement === document.body && before instanceof HTMLElement) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  return (
    <dialog ref={place} aria-label={title} onCancel={close} onClose={() => place.current && close()}>
      {children}
    </dialog>
  );
}

function Asking({ what }: { what: Ask }) {
  const { field } = what;
  const [text, setText] = useState(field ? typedIn(field) : '');
  const change = (typed: string): void => {
    setText(typed);
    if (field) keepTyped(field, typed);
  };
  const isMissing = field?.isRequired === true && text.trim() === '';
  const done = (): void => {
    if (!isMissing) what.done(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || (field?.isLong && !(event.ctrlKey || event.metaKey))) return;
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
      {field && (
        <label class="field">
          <span>{field.label}</span>
          {field.isLong ? (
            <textarea {...common} rows={5} onInput={(event) => change(event.currentTarget.value)} />
          ) : (
            <input
              {...common}
              ref={(input) => void (input && (input.type = field.isSecret ? 'password' : 'text'))}
              autocomplete="off"
              onInput={(event) => change(event.currentTarget.value)}
            />
          )}
        </label>
      )}
      <footer>
        {field?.isLong && <span class="muted small grow">{what.action}: Ctrl+Enter</span>}
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
