import { useState } from 'preact/hooks';

import { overlay } from '../state/dialog.js';
import { commands } from '../state/keys.js';
import { entries } from '../state/repo.js';
import { go } from '../state/route.js';
import { sandbox } from '../state/session.js';
import { Dialog } from './dialogs.js';
import { Name } from './plain.js';

interface Choice {
  title: string;
  note: string;
  run: () => void;
}

function choices(wanted: string): Choice[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (title: string): boolean => words.every((word) => title.toLowerCase().includes(word));
  const files = sandbox.value ? (entries.value ?? []) : [];
  return [
    ...commands.value.flatMap(({ title, key, run }) => (run && fits(title) ? [{ title, note: key, run }] : [])),
    ...files
      .filter(({ isFolder, path }) => !isFolder && words.length > 0 && fits(path))
      .map(({ path }) => ({ title: path, note: 'file', run: () => go('files', path) })),
  ].slice(0, 50);
}

export function Palette() {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const found = choices(wanted);
  const close = (): void => void (overlay.value = undefined);
  const take = (one: Choice | undefined): void => {
    close();
    // A command may open a dialog of its own, after this one has gone.
    if (one) setTimeout(one.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') take(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Command palette" close={close}>
      <input
        autofocus
        class="palette-input"
        role="combobox"
        aria-label="Command or file"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={found[at] ? `choice-${at}` : undefined}
        placeholder="Command or file"
        value={wanted}
        onInput={(event) => {
          setWanted(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="choices" role="listbox" aria-label="Choices" class="choices">
        {found.map((one, index) => (
          <li
            key={`${one.note} ${one.title}`}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => take(one)}
          >
            <Name text={one.title} />
            <kbd>{one.note}</kbd>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted pad">Nothing has this name.</p>}
    </Dialog>
  );
}
