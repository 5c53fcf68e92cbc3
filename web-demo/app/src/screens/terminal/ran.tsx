// A command, and what became of it.

import { useMemo, useState } from 'preact/hooks';

import { Busy, Button, Status } from '../../parts/bits.js';
import { Name, Plain } from '../../parts/plain.js';
import { pattern } from '../../parts/stand-in.js';
import { inside } from '../../state/json.js';
import type { ChangedFile, Ran as One } from '../../state/kept-terminal.js';
import { currentName, link } from '../../state/route.js';
import { HOME, stop } from '../../state/terminal.js';

/** Characters of what `Plain` shows at once. */
const MOST = 10_000;
/** Stand-ins of an output until a person asks for more. */
const MOST_STAND_INS = 500;

const LETTERS: { [change: string]: string } = { added: 'A', deleted: 'D' };

const relative = (folder: string): string =>
  folder === HOME ? '~' : folder.startsWith(`${HOME}/`) ? `~${folder.slice(HOME.length)}` : folder;

export const Place = ({ folder }: { folder: string }) => (
  <span class="terminal-place mono">
    <Name text={relative(folder)} />
    <span aria-hidden="true">$</span>
  </span>
);

/** Where a text has so many stand-ins that a browser would take seconds for more. */
function endOf(text: string): number {
  let left = MOST_STAND_INS;
  for (const { index } of text.matchAll(pattern('text'))) {
    left -= 1;
    if (left < 0) return index;
  }
  return text.length;
}

function Whole({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const end = isWhole ? text.length : endOf(text);
  // With `u`, no character is divided.
  const parts = text.slice(0, end).match(new RegExp(`[^]{1,${MOST}}`, 'gu')) ?? [];
  return (
    <>
      {parts.map((part, at) => (
        <Plain key={at} text={part} clip={false} />
      ))}
      {end < text.length && <Button onClick={() => setWhole(true)}>Show {text.length - end} more characters</Button>}
    </>
  );
}

/** A deleted file has no place but among the changes. */
function Changed({ of: { path, change } }: { of: ChangedFile }) {
  const name = currentName.value ?? '';
  const isThere = path !== inside(path);
  const to = change === 'deleted' ? link(name, 'changes') : link(name, 'files', inside(path));
  return (
    <li>
      <Status of={LETTERS[change] ?? 'M'} />
      {isThere ? (
        <a href={to}>
          <Name text={inside(path)} />
        </a>
      ) : (
        <Name text={path} />
      )}
    </li>
  );
}

function AllChanged({ of: { changed, changedCount } }: { of: One }) {
  if (changedCount === 0) return null;
  const more = changedCount - changed.length;
  return (
    <div class="ran-changed small">
      <span class="muted">{changedCount === 1 ? '1 file changed' : `${changedCount} files changed`}</span>
      <ul aria-label="Changed files">
        {changed.map((one) => (
          <Changed key={one.path} of={one} />
        ))}
        {more > 0 && (
          <li>
            <a href={link(currentName.value ?? '', 'changes')}>and {more} more</a>
          </li>
        )}
      </ul>
    </div>
  );
}

/** What has ended is drawn once, whatever is typed. */
export const Ran = ({ one }: { one: One }) =>
  useMemo(
    () => (
      <article class="ran">
        <header>
          <Place folder={one.folder} />
          <pre class="ran-command">
            <Plain text={one.command} clip={false} />
          </pre>
        </header>
        {one.stdout && (
          <pre>
            <Whole text={one.stdout} />
          </pre>
        )}
        {one.stderr && (
          <pre class="ran-errors">
            <span class="hidden">Errors: </span>
            <Whole text={one.stderr} />
          </pre>
        )}
        {one.state === 'running' && <Busy what="Running" stop={stop} />}
        {one.exitCode !== 0 && <p class="small ran-exit">exit code {one.exitCode}</p>}
        {one.note && (
          <p class={`small ${one.state === 'failed' ? 'ran-exit' : 'muted'}`}>
            <Plain text={one.note} clip={false} />
          </p>
        )}
        <AllChanged of={one} />
      </article>
    ),
    [one],
  );
