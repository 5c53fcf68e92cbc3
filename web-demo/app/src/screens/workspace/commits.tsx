import { Busy, Button, Empty, day } from '../../parts/bits.js';
import { Graph, knots } from '../../parts/graph.js';
import { Failed, Loaded, useLoaded } from '../../parts/loaded.js';
import { Patches } from '../../parts/patches.js';
import { isNarrow } from '../../parts/narrow.js';
import { Plain } from '../../parts/plain.js';
import { ask } from '../../state/dialog.js';
import { row, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { metas } from '../../state/meta.js';
import { beginPush } from '../../state/push.js';
import { choosePush } from '../../state/push-to.js';
import { commitDiff, commits, discard, loadCommits, loadOlder, most, staged } from '../../state/repo.js';
import { currentName, go, link, route } from '../../state/route.js';
import { changed, isRemote } from '../../state/session.js';
import { askToken, token } from '../../state/token.js';
import { attempt } from '../../state/toast.js';

const HEIGHT = 44;

async function askDiscard(id: string): Promise<void> {
  const body = 'Its changes stay in the working folder, uncommitted. History can bring it back.';
  const sure = await ask({ title: 'Discard the staged commit?', body, action: 'Discard', isDangerous: true });
  if (sure === undefined) return;
  await discard(id);
  go('commits');
}

function Push() {
  const name = currentName.value ?? '';
  const isFromGitHub = metas.value[name]?.repo !== undefined;
  // One on a server may have come from anywhere, and the server knows.
  const hasTarget = isFromGitHub || isRemote.value;
  const count = staged.value.length;
  return (
    <div class="bar-row push-bar">
      <span class={count > 0 ? 'tag accent' : 'muted small'}>
        {count > 0 ? `${count} staged` : 'Nothing is staged'}
      </span>
      <span class="grow" />
      {isFromGitHub && (
        <Button kind="quiet" onClick={() => attempt(async () => void (await askToken(name)))}>
          {token(name) ? 'Change token…' : 'Add token…'}
        </Button>
      )}
      <span class="push-acts">
        {hasTarget && (
          <Button kind="primary" icon="gate" isDisabled={count === 0} onClick={() => beginPush('upstream')}>
            Review and push
          </Button>
        )}
        {isFromGitHub && (
          <Button
            icon="branch"
            label="Push to a new branch"
            title="Push to a new branch (⇧P)"
            isDisabled={count === 0}
            onClick={choosePush}
          />
        )}
        <Button kind={hasTarget ? 'quiet' : 'primary'} icon="down" onClick={() => beginPush('bundle')}>
          {hasTarget ? 'Bundle' : 'Review and download'}
        </Button>
      </span>
    </div>
  );
}

interface LineProps {
  commit: Row;
  isStaged: boolean;
  isChosen: boolean;
  children: preact.ComponentChildren;
}

function Line({ commit, isStaged, isChosen, children }: LineProps) {
  const id = text(commit.commitId);
  const author = row(commit.author);
  const [subject = ''] = text(commit.message).split('\n');
  return (
    <a
      class="commit-row"
      href={link(currentName.value ?? '', 'commits', id)}
      aria-current={isChosen ? 'true' : undefined}
    >
      {children}
      <span class="commit-text">
        <Plain text={subject || '(no message)'} />
        <span class="muted small">
          <span class="mono">{id.slice(0, 8)}</span> <Plain text={text(author.name)} /> {day(text(author.date))}
        </span>
      </span>
      {isStaged && <span class="tag accent">staged</span>}
    </a>
  );
}

function One({ commit, isStaged }: { commit: Row; isStaged: boolean }) {
  const id = text(commit.commitId);
  const author = row(commit.author);
  const [subject = '', ...rest] = text(commit.message).trim().split('\n');
  const body = rest.join('\n').trim();
  return (
    <>
      <div class="bar-row tall">
        <Button kind="quiet" icon="chevron" label="Back to the commits" onClick={() => go('commits')} />
        <div class="commit-message">
          <strong>
            <Plain text={subject || '(no message)'} clip={false} />
          </strong>
          {body && <Plain text={body} clip={false} />}
          <span class="muted small">
            <span class="mono">{id.slice(0, 8)}</span> <Plain text={text(author.name)} /> {day(text(author.date))}
          </span>
        </div>
        <span class="grow" />
        {isStaged && (
          <Button kind="quiet" onClick={() => attempt(() => askDiscard(id))}>
            Discard…
          </Button>
        )}
      </div>
      <Loaded key={id} load={() => commitDiff(id)} by={[id]} what="Reading the commit">
        {(patches) => <Patches patches={patches} />}
      </Loaded>
    </>
  );
}

export function Commits() {
  const { wrong, retry } = useLoaded(loadCommits, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  const all = commits.value;
  if (!all) return <Busy what="Reading the log" />;
  if (all.length === 0) {
    return (
      <Empty icon="commit" title="No commits yet">
        <p>Stage changes, or let the agent do it.</p>
        {!isRemote.value && (
          <Button kind="primary" icon="play" onClick={() => go('agent')}>
            Play the agent
          </Button>
        )}
      </Empty>
    );
  }
  const waits = new Set(staged.value.map((one) => text(one.commitId)));
  const drawn = knots(all);
  const named = all.find((one) => text(one.commitId) === route.value.rest);
  // Where there is room, the latest one is there at once.
  const chosen = named ?? (isNarrow.value ? undefined : all[0]);

  return (
    <div class={`panes wide ${named ? 'has-content' : ''}`}>
      <aside class="pane-side">
        <Push />
        <div class="commit-list">
          {all.map((commit, at) => {
            const id = text(commit.commitId);
            const knot = drawn[at];
            return (
              <Line key={id} commit={commit} isStaged={waits.has(id)} isChosen={commit === chosen}>
                {knot && <Graph knot={knot} height={HEIGHT} isFirst={at === 0} />}
              </Line>
            );
          })}
          {all.length >= most.value && (
            <Button kind="quiet" onClick={() => attempt(loadOlder)}>
              Show older ones
            </Button>
          )}
        </div>
      </aside>
      <section class="pane-main" aria-label="Commit">
        {chosen ? (
          <One commit={chosen} isStaged={waits.has(text(chosen.commitId))} />
        ) : (
          <Empty icon="commit" title="No commit is chosen">
            Choose one to see what it changes.
          </Empty>
        )}
      </section>
    </div>
  );
}
