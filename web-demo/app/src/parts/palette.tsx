import { useMemo, useState } from 'preact/hooks';

import { arrive, arriveAt } from '../state/arrive.js';
import { overlay } from '../state/dialog.js';
import { commands } from '../state/keys.js';
import { entries, isListCut } from '../state/repo.js';
import { sandbox } from '../state/session.js';
import { Dialog } from './dialogs.js';
import { find } from './fuzzy.js';
import { FoundName } from './plain.js';

interface Choice {
  title: string;
  note: string;
  run: () => void;
}

const MOST = 50;

function choices(): Choice[] {
  return commands.value.flatMap(({ title, key, run, isLeaving }) =>
    run ? [{ title, note: key, run: isLeaving ? () => arrive(run) : run }] : [],
  );
}

const files = (): Choice[] =>
  (entries.value ?? [])
    .filter(({ isFolder }) => !isFolder)
    .map(({ path }) => ({ title: path, note: 'file', run: () => arriveAt(path) }));

/** An entry that was not found may still exist. */
function Missing({ hasFound }: { hasFound: boolean }) {
  const isOpen = sandbox.value !== undefined;
  const why =
    isOpen && !entries.value
      ? 'Still reading the files…'
      : isOpen && isListCut.value && 'Not all files are listed here.';
  if (!why && hasFound) return null;
  return (
    <p class="muted pad" role="status">
      {why || 'Nothing has this name.'}
    </p>
  );
}

export function Palette() {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const isOpen = sandbox.value !== undefined;
  // Without a letter, every file would match.
  const hasFiles = isOpen && wanted.trim() !== '';
  const all = useMemo(() => [...choices(), ...(hasFiles ? files() : [])], [commands.value, entries.value, hasFiles]);
  const found = useMemo(() => find(wanted, all, ({ title }) => title, MOST), [wanted, all]);
  const close = (): void => void (overlay.value = undefined);
  const take = (one: Choice | undefined): void => {
    close();
    // A command may open a dialog of its own after this one closes.
    if (one) setTimeout(one.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') take(found[at]?.one);
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
        {found.map(({ one, at: letters }, index) => (
          <li
            key={`${one.note} ${one.title}`}
            ref={(item) => void (index === at && item?.scrollIntoView({ block: 'nearest' }))}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => take(one)}
          >
            <FoundName text={one.title} at={letters} />
            <kbd>{one.note}</kbd>
          </li>
        ))}
      </ul>
      {wanted.trim() !== '' && <Missing hasFound={found.length > 0} />}
    </Dialog>
  );
}
