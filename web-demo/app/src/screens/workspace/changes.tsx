import { Button, Empty } from '../../parts/bits.js';
import { Loaded } from '../../parts/loaded.js';
import { Patches } from '../../parts/patches.js';
import { ask, sent } from '../../state/dialog.js';
import { inside, text } from '../../state/json.js';
import { workingDiff } from '../../state/diffs.js';
import { stage, unstaged } from '../../state/repo.js';
import { currentName, go } from '../../state/route.js';
import { changed } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';

async function stageAll(): Promise<void> {
  const files = unstaged.value.map((one) => inside(text(one.path)));
  const about = `stage ${currentName.value}`;
  const field = { label: 'Message', value: '', isLong: true, isRequired: true, about };
  const body = `This commits ${files.length} changed ${files.length === 1 ? 'file' : 'files'}. Nothing leaves the sandbox.`;
  const message = await ask({ title: 'Stage the changes', body, action: 'Stage', field });
  if (message === undefined) return;
  await stage(files, message);
  sent(about);
  note('Staged. Review and push it in Commits.');
  go('commits');
}

const VERSIONS = { old: 'HEAD', fresh: undefined };

export function Changes() {
  const count = unstaged.value.length;
  if (count === 0) {
    return (
      <Empty icon="check" title="No changes">
        Changes since the last commit show up here.
      </Empty>
    );
  }
  return (
    <div class="column">
      <div class="bar-row">
        <span class="muted small">
          {count} {count === 1 ? 'file differs' : 'files differ'} from the last commit
        </span>
        <span class="grow" />
        <Button kind="primary" icon="plus" onClick={() => attempt(stageAll)}>
          Stage…
        </Button>
      </div>
      <Loaded load={workingDiff} by={[unstaged.value, changed.value]} what="Comparing">
        {(diff) => <Patches {...diff} versions={VERSIONS} />}
      </Loaded>
    </div>
  );
}
