import { Button, Empty } from '../../parts/bits.js';
import { Name } from '../../parts/plain.js';
import type { Entry } from '../../state/repo.js';
import { go } from '../../state/route.js';
import { Back } from './back.js';
import { FileActs } from './file-acts.js';

/** The target of a link: a path below the workspace, or nothing if it leads outside. */
function place({ path, target }: Entry): string | undefined {
  const inWorkspace = target.replace(/^\/workspace(?=\/|$)/, '');
  const isAbsolute = target.startsWith('/');
  if (isAbsolute && inWorkspace === target) return undefined;
  const found = isAbsolute ? [] : path.split('/').slice(0, -1);
  for (const part of inWorkspace.split('/')) {
    if (part === '..' && found.pop() === undefined) return undefined;
    if (!['', '.', '..'].includes(part)) found.push(part);
  }
  return found.join('/');
}

/** A link is shown as a link: its target may be anywhere, or missing. */
export function Symlink({ entry, all }: { entry: Entry; all: Entry[] }) {
  const to = place(entry);
  const there = all.find(({ path }) => path === to);
  const isFolder = there?.isFolder === true || to === '';
  return (
    <>
      <div class="bar-row">
        <Back />
        <Name text={entry.path} mono />
        <span class="tag">symlink</span>
        <span class="grow" />
        <FileActs path={entry.path} isLink />
      </div>
      <Empty icon="link" title="A symlink">
        <p>
          It points to{' '}
          <span class="mono">
            <Name text={entry.target} />
          </span>
          {to === undefined
            ? ', which is outside the sandbox.'
            : isFolder
              ? ', a folder.'
              : there
                ? '.'
                : ', which is not there.'}
        </p>
        {there && !isFolder && <Button onClick={() => go('files', there.path)}>Open what it points to</Button>}
      </Empty>
    </>
  );
}
