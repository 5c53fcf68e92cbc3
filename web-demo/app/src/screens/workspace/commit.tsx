// A commit: its message, its people, its parents and its changes.

import { Button, day } from '../../parts/bits.js';
import { Copy } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { Patches } from '../../parts/patches.js';
import { Plain } from '../../parts/plain.js';
import { RefTags } from '../../parts/refs.js';
import { ask } from '../../state/dialog.js';
import { commitDiff } from '../../state/diffs.js';
import { row, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { merged, parentsOf } from '../../state/log.js';
import type { Merged, Ref } from '../../state/log.js';
import { discard } from '../../state/repo.js';
import { currentName, go, link } from '../../state/route.js';
import { attempt } from '../../state/toast.js';

async function askDiscard(id: string): Promise<void> {
  const body = 'Its changes stay in the working folder, uncommitted. You can get it back from the history.';
  const sure = await ask({
    title: 'Discard the staged commit?',
    body,
    action: 'Discard',
    isDangerous: true,
  });
  if (sure === undefined) return;
  await discard(id);
  go('commits');
}

const linkTo = (id: string): string => link(currentName.value ?? '', 'commits', id);
const short = (id: string): string => id.slice(0, 8);

const Who = ({ of }: { of: Row }) => (
  <>
    <Plain text={text(of.name)} /> <Plain text={`<${text(of.email)}>`} /> {day(text(of.date))}
  </>
);

function People({ commit }: { commit: Row }) {
  const [author, committer] = [row(commit.author), row(commit.committer)];
  const isOther = ['name', 'email', 'date'].some((part) => text(author[part]) !== text(committer[part]));
  return (
    <span class="muted small people">
      <span>
        <Who of={author} />
      </span>
      {isOther && (
        <span>
          Committed by <Who of={committer} />
        </span>
      )}
    </span>
  );
}

function Ids({ commit }: { commit: Row }) {
  const id = text(commit.commitId);
  const parents = parentsOf(commit);
  return (
    <div class="commit-ids small">
      <Copy text={id} label={`Copy ${short(id)}`}>
        <span class="mono">{short(id)}</span>
      </Copy>
      {parents.map((parent, at) => (
        <span key={parent} class="commit-parent">
          <a href={linkTo(parent)}>
            {parents.length > 1 ? `Parent ${at + 1}` : 'Parent'} <span class="mono">{short(parent)}</span>
          </a>
          <Copy text={parent} label={`Copy ${short(parent)}`} />
        </span>
      ))}
      <Copy text={new URL(linkTo(id), location.href).href}>Copy link</Copy>
    </div>
  );
}

function Brought({ found }: { found: Merged }) {
  const count = found.commits.length + found.more;
  return (
    <details class="brought">
      <summary>
        {count} {count === 1 ? 'commit' : 'commits'} merged
      </summary>
      <ul aria-label="Commits merged">
        {found.commits.map((commit) => {
          const id = text(commit.commitId);
          return (
            <li key={id}>
              <a href={linkTo(id)}>
                <span class="mono">{short(id)}</span> <Plain text={text(commit.message).split('\n')[0] ?? ''} />
              </a>
            </li>
          );
        })}
        {found.more > 0 && <li class="muted">{found.more} more not shown</li>}
      </ul>
    </details>
  );
}

export function Commit({ commit, refs, isStaged }: { commit: Row; refs: Ref[]; isStaged: boolean }) {
  const id = text(commit.commitId);
  const [subject = '', ...rest] = text(commit.message).trim().split('\n');
  const body = rest.join('\n').trim();
  const isMerge = parentsOf(commit).length > 1;
  return (
    <>
      <div class="bar-row commit-head">
        <Button kind="quiet" icon="chevron" label="Back to the commits" onClick={() => go('commits')} />
        <div class="commit-message" tabIndex={0} role="group" aria-label="Message">
          <strong>
            <Plain text={subject || '(no message)'} clip={false} />
          </strong>
          {body && <Plain text={body} clip={false} />}
          <People commit={commit} />
          {refs.length > 0 && (
            <span class="commit-refs">
              <RefTags refs={refs} />
            </span>
          )}
          <Ids commit={commit} />
        </div>
        {isStaged && (
          <Button kind="quiet" onClick={() => attempt(() => askDiscard(id))}>
            Discard…
          </Button>
        )}
      </div>
      {isMerge && (
        <Loaded key={`merged ${id}`} load={() => merged(commit)} by={[id]} what="Reading what was merged">
          {(found) => <Brought found={found} />}
        </Loaded>
      )}
      <Loaded key={id} load={() => commitDiff(commit)} by={[id]} what="Reading the commit">
        {(diff) => <Patches {...diff} versions={{ old: parentsOf(commit)[0], fresh: id }} />}
      </Loaded>
    </>
  );
}
