import { Busy, Button, Empty, day } from '../../parts/bits.js';
import { Failed, useLoaded } from '../../parts/loaded.js';
import { Plain } from '../../parts/plain.js';
import { ask } from '../../state/dialog.js';
import { list, text } from '../../state/json.js';
import { history, loadHistory, undo } from '../../state/repo.js';
import { changed } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';

async function walkBack(steps: number): Promise<void> {
  const calls = steps === 1 ? 'the latest call' : `the latest ${steps} calls`;
  const body = `Files, index, branches and staged commits return to what they were before ${calls}. What was pushed stays pushed. You cannot undo it.`;
  const sure = await ask({ title: 'Walk back?', body, action: 'Walk back', isDangerous: true });
  if (sure === undefined) return;
  await undo(steps);
  note(`Took back ${calls}.`);
}

export function History() {
  const { wrong, retry } = useLoaded(loadHistory, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  const calls = history.value;
  if (!calls) return <Busy what="Reading the history" />;
  if (calls.length === 0) return <Empty icon="clock" title="No calls yet" />;
  const first = calls.findIndex((call) => call.undoable !== true);
  const most = first < 0 ? calls.length : first;
  return (
    <div class="column scroll">
      <ol class="calls">
        {calls.map((call, at) => (
          <li key={text(call.id)} class="call-row">
            <span class="muted small when">{day(text(call.at))}</span>
            <span class={`tag ${call.caller === 'agent' ? 'accent' : ''}`}>{text(call.caller)}</span>
            <span class="mono tool">{text(call.tool)}</span>
            <span class="what">
              <Plain text={text(call.summary) || list(call.changed).join(' ') || 'done'} />
            </span>
            {at < most && (
              <Button
                kind="quiet"
                icon="undo"
                label={`Before this ${text(call.tool)}: walk ${at + 1} back`}
                onClick={() => attempt(() => walkBack(at + 1))}
              >
                Before this
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
