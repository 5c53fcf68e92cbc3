// The outcome of a push.

import { pushResult } from 'gitgate';
import type { PushResult, Reply } from 'gitgate';

import { Button } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import type { IconName } from '../../parts/icon.js';
import { Name, Plain } from '../../parts/plain.js';
import { ended } from '../../state/live.js';
import { metas } from '../../state/meta.js';
import { place } from '../../state/place.js';
import { beginPush, pushAgain } from '../../state/push.js';
import { pull } from '../../state/repo.js';
import { currentName, go } from '../../state/route.js';
import { isRemote } from '../../state/session.js';
import { sentence } from '../../state/sentence.js';
import { askToken } from '../../state/token.js';
import { isWithoutTarget, words } from '../../state/words.js';
import { attempt, note } from '../../state/toast.js';
import { PullRequest } from './pull-request.js';
import { Ways } from './ways.js';

/** The commit's page, if the target is at github.com. */
function commitLink(target: string, commit: string): string | undefined {
  const [, repo] = /^github:([\w.-]+\/[\w.-]+)$/.exec(target) ?? [];
  const isThere = place.value.isAtGitHub(currentName.value ?? '');
  return repo && /^[0-9a-f]{40}$/.test(commit) && isThere ? `https://github.com/${repo}/commit/${commit}` : undefined;
}

async function pullAgain(): Promise<void> {
  const conflicts = await pull();
  if (conflicts.length === 0) return pushAgain();
  note(`Conflicts in ${conflicts.join(', ')}: edit the text between the markers, then stage again.`);
  go('changes');
}

function Card({
  icon,
  tone,
  title,
  children,
}: {
  icon: IconName;
  tone: string;
  title: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div class={`outcome ${tone}`} role="status">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
      <Ways />
    </div>
  );
}

/** The conflict at the target. The push was approved, but nothing left. */
function Conflict({ pushed }: { pushed: PushResult }) {
  const isBehind = pushed.conflict?.reason === 'non-fast-forward';
  return (
    <Card icon="warn" tone="warning" title="Nothing was pushed">
      {isBehind ? (
        <>
          <p>
            Others have pushed to <Name text={pushed.branch} mono /> in the meantime.
          </p>
          <p class="muted">Pull to put the staged commits on top of theirs, then review the result before it leaves.</p>
          {place.value.canPush ? (
            <Button kind="primary" icon="down" onClick={() => attempt(pullAgain)}>
              Pull and review again
            </Button>
          ) : (
            <p class="muted">The agent reads this. It can pull and push again.</p>
          )}
        </>
      ) : (
        <>
          <p>
            <Plain text={sentence(pushed.conflict?.message ?? '')} clip={false} />
          </p>
          <p class="muted">
            <Plain text={sentence(pushed.hint)} clip={false} />
          </p>
        </>
      )}
    </Card>
  );
}

function Failed({ reply }: { reply: Extract<Reply, { outcome: 'failed' }> }) {
  const name = currentName.value ?? '';
  const isRejected = reply.kind === 'rejected';
  const { [name]: meta } = metas.value;
  const isFromGitHub = meta?.repo !== undefined;
  const { message, hint } = words(reply, meta?.base);
  return (
    <Card icon={isRejected ? 'cross' : 'warn'} tone="danger" title={isRejected ? 'Rejected' : 'Nothing was pushed'}>
      <p>
        <Plain text={reply.reason ?? sentence(message)} clip={false} />
      </p>
      <p class="muted">{isRejected ? 'The agent reads the reason.' : <Plain text={sentence(hint)} clip={false} />}</p>
      {isWithoutTarget(reply.message) && place.value.canPush && (
        <Button kind="primary" icon="down" onClick={() => beginPush('bundle')}>
          Review and download
        </Button>
      )}
      {!isRejected && place.value.canPush && (isFromGitHub || isRemote.value) && (
        <div class="buttons">
          <Button kind="primary" onClick={pushAgain}>
            Review again
          </Button>
          {isFromGitHub && <Button onClick={() => attempt(async () => void (await askToken(name)))}>Token…</Button>}
        </div>
      )}
    </Card>
  );
}

function Landed({ pushed: { target, branch, commitSha, commits } }: { pushed: PushResult }) {
  const commit = commitSha ?? '';
  const href = commitLink(target, commit);
  return (
    <Card icon="check" tone="success" title={commits.length > 0 ? 'Pushed' : 'Already up to date'}>
      <p class="muted">
        <Name text={target.replace(/^github:/, '')} mono />, branch <Name text={branch} mono />
      </p>
      {commits.length > 0 && (
        <ul class="landed">
          {commits.map((one) => (
            <li key={one.commitSha}>
              <span class="mono small muted">{one.commitSha.slice(0, 8)}</span> <Plain text={one.subject} />
            </li>
          ))}
        </ul>
      )}
      <PullRequest />
      {href && (
        <p>
          <a href={href} target="_blank" rel="noopener noreferrer">
            {commit.slice(0, 8)} at GitHub
          </a>
        </p>
      )}
    </Card>
  );
}

export function Outcome() {
  if (!ended.value) return null;
  const { reply, file } = ended.value;
  if (reply.outcome === 'pending') {
    return (
      <Card icon="clock" tone="" title="Waiting for a decision">
        <Plain text={`${sentence(reply.reason)}. ${sentence(reply.hint)}`} clip={false} />
      </Card>
    );
  }
  if (reply.outcome === 'failed') return <Failed reply={reply} />;
  if ('bytes' in reply) {
    return (
      <Card icon="check" tone="success" title="Bundle downloaded">
        <p class="muted">
          Clone it with <code>git clone {file}</code>
        </p>
      </Card>
    );
  }
  const pushed = pushResult(reply);
  if (pushed.status === 'changes-requested') {
    return (
      <Card icon="clock" tone="" title="Changes requested">
        <p class="muted">The agent has your comments. What it proposes next waits here.</p>
      </Card>
    );
  }
  return pushed.status === 'conflict' ? <Conflict pushed={pushed} /> : <Landed pushed={pushed} />;
}
