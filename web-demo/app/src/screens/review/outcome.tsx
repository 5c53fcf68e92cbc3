// What has become of a push.

import { Button } from '../../parts/bits.js';
import { Icon } from '../../parts/icon.js';
import type { IconName } from '../../parts/icon.js';
import { Plain } from '../../parts/plain.js';
import { row, text } from '../../state/json.js';
import { ended } from '../../state/live.js';
import { metas } from '../../state/meta.js';
import { beginPush } from '../../state/push.js';
import { pull } from '../../state/repo.js';
import { currentName, go } from '../../state/route.js';
import { attempt, note } from '../../state/toast.js';

/** The commit's page, where the target is at github.com itself. */
function commitLink(target: string, commit: string): string | undefined {
  const [, repo] = /^github:([\w.-]+\/[\w.-]+)$/.exec(target) ?? [];
  const base = metas.value[currentName.value ?? '']?.base;
  return repo && /^[0-9a-f]{40}$/.test(commit) && !base ? `https://github.com/${repo}/commit/${commit}` : undefined;
}

async function pullAgain(): Promise<void> {
  const conflicts = await pull();
  if (conflicts.length === 0) return beginPush('upstream');
  note(`Conflicts in ${conflicts.join(', ')}: mend them between the markers, and stage again.`);
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
      <div class="buttons">
        <Button onClick={() => go('agent')}>To the agent</Button>
        <Button onClick={() => go('commits')}>To the commits</Button>
      </div>
    </div>
  );
}

export function Outcome() {
  if (!ended.value) return null;
  const { reply } = ended.value;
  if (reply.outcome === 'pending') {
    return (
      <Card icon="clock" tone="" title="It waits">
        <Plain text={`${reply.reason}. ${reply.hint}`} clip={false} />
      </Card>
    );
  }
  if (reply.outcome === 'failed') {
    const isRejected = reply.kind === 'rejected';
    return (
      <Card icon={isRejected ? 'cross' : 'warn'} tone="danger" title={isRejected ? 'Rejected' : 'Nothing has left'}>
        <p>
          <Plain text={reply.reason ?? reply.message} clip={false} />
        </p>
        {!isRejected && reply.hint && (
          <p class="muted">
            <Plain text={reply.hint} clip={false} />
          </p>
        )}
        {reply.kind === 'conflict' && (
          <>
            <p class="muted">
              Others have pushed in the meantime. A pull brings their commits in and puts the staged ones on top; you
              review the result anew.
            </p>
            <Button kind="primary" icon="down" onClick={() => attempt(pullAgain)}>
              Pull, and review again
            </Button>
          </>
        )}
      </Card>
    );
  }
  const done = row(reply.structured);
  const commit = text(done.commitSha);
  const href = commitLink(text(done.target), commit);
  return (
    <Card icon="check" tone="success" title={'bytes' in reply ? 'The bundle is downloaded' : 'It has landed'}>
      {'bytes' in reply ? (
        <p class="muted">
          git can clone it: <code>git clone FILE.bundle</code>
        </p>
      ) : (
        <pre class="code-head" tabIndex={0}>
          <Plain text={reply.text.trim()} clip={false} />
        </pre>
      )}
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
