import { Busy, Button, Empty, day } from '../../parts/bits.js';
import { Divider } from '../../parts/divider.js';
import { Graph, knots } from '../../parts/graph.js';
import { Failed, Loaded, useLoaded } from '../../parts/loaded.js';
import { isNarrow } from '../../parts/narrow.js';
import { Plain } from '../../parts/plain.js';
import { RefTags } from '../../parts/refs.js';
import { row, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { loadCommit, loadRefs } from '../../state/log.js';
import type { Ref } from '../../state/log.js';
import { metas } from '../../state/meta.js';
import { beginPush } from '../../state/push.js';
import { choosePush } from '../../state/push-to.js';
import { commits, loadCommits, loadOlder, most, staged } from '../../state/repo.js';
import { currentName, go, link, route } from '../../state/route.js';
import { changed, isRemote } from '../../state/session.js';
import { askToken, token } from '../../state/token.js';
import { attempt } from '../../state/toast.js';
import { Commit } from './commit.js';

const HEIGHT = 44;
/** The number of names that fit beside a subject. */
const MOST_REFS = 2;

function Push() {
  const name = currentName.value ?? '';
  const isFromGitHub = metas.value[name]?.repo !== undefined;
  // A sandbox on a server may come from anywhere; only the server knows.
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
  refs: Ref[];
  isStaged: boolean;
  isChosen: boolean;
  children: preact.ComponentChildren;
}

function Line({ commit, refs, isStaged, isChosen, children }: LineProps) {
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
      {refs.length > 0 && (
        <span class="row-refs">
          <RefTags refs={refs} most={MOST_REFS} />
        </span>
      )}
      {isStaged && <span class="tag accent">staged</span>}
    </a>
  );
}

export function Commits() {
  const { wrong, retry } = useLoaded(loadCommits, [changed.value]);
  const named = useLoaded(() => loadRefs(most.value), [changed.value, most.value]);
  if (named.wrong) return <Failed wrong={named.wrong} retry={named.retry} />;
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
  const { rest } = route.value;
  const refsOf = (commit: Row): Ref[] => named.value?.get(text(commit.commitId)) ?? [];
  const one = (commit: Row) => (
    <Commit commit={commit} refs={refsOf(commit)} isStaged={waits.has(text(commit.commitId))} />
  );
  // If there is room, the latest one opens at once.
  const latest = isNarrow.value ? undefined : all[0];
  const chosen = rest ? all.find((commit) => text(commit.commitId) === rest) : latest;

  return (
    <div class={`panes wide ${rest ? 'has-content' : ''}`}>
      <aside class="pane-side">
        <Push />
        <div class="commit-list">
          {all.map((commit, at) => {
            const id = text(commit.commitId);
            const knot = drawn[at];
            return (
              <Line
                key={id}
                commit={commit}
                refs={refsOf(commit)}
                isStaged={waits.has(id)}
                isChosen={commit === chosen}
              >
                {knot && <Graph knot={knot} height={HEIGHT} isFirst={at === 0} />}
              </Line>
            );
          })}
          {all.length >= most.value && (
            <Button kind="quiet" onClick={() => attempt(loadOlder)}>
              Show older commits
            </Button>
          )}
        </div>
      </aside>
      <Divider of="commits" label="Width of the log" />
      <section class="pane-main" aria-label="Commit">
        {chosen ? (
          one(chosen)
        ) : rest ? (
          <Loaded key={rest} load={() => loadCommit(rest)} by={[rest]} what="Reading the commit">
            {one}
          </Loaded>
        ) : (
          <Empty icon="commit" title="No commit is selected">
            Select one to see what it changes.
          </Empty>
        )}
      </section>
    </div>
  );
}
