import { Busy, Button, Empty, day } from '../../parts/bits.js';
import { Failed, useLoaded } from '../../parts/loaded.js';
import { Name, Plain } from '../../parts/plain.js';
import { isPlain } from '../../parts/stand-in.js';
import { ask } from '../../state/dialog.js';
import { inside, list, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { history, loadHistory, undo } from '../../state/repo.js';
import { changed } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';

const latest = (steps: number): string => (steps === 1 ? 'the latest call' : `the latest ${steps} calls`);

/** How many calls are taken back to be before each one that can be. Others, such as an undo, do not count. */
function stepsBefore(calls: Row[]): Map<Row, number> {
  const undoable = calls.filter((call) => call.undoable === true);
  return new Map(undoable.map((call, at) => [call, at + 1]));
}

async function walkBack(steps: number, to: Row): Promise<void> {
  const body = `Files, index, branches and staged commits return to what they were before ${latest(steps)}. What was pushed stays pushed. You cannot undo it.`;
  const sure = await ask({ title: 'Walk back?', body, action: 'Walk back', isDangerous: true });
  if (sure === undefined) return;
  await loadHistory();
  const now = [...stepsBefore(history.value ?? [])].find(([call]) => text(call.id) === text(to.id))?.[1];
  // An agent has gone on meanwhile: its calls were in no question.
  if (now !== steps) return note('The history has changed. Nothing was taken back.');
  await undo(steps);
  note(`Took back ${latest(steps)}.`);
}

function WalkBack({ to, steps }: { to: Row; steps: number | undefined }) {
  if (steps === undefined) return null;
  return (
    <Button
      kind="quiet"
      icon="undo"
      label={`Before this ${text(to.tool)}: walk ${steps} back`}
      onClick={() => attempt(() => walkBack(steps, to))}
    >
      Before this
    </Button>
  );
}

/** A summary is one line, escaped and cut. Names that it cannot show whole stand beside it. */
const odd = (call: Row): string[] =>
  list(call.changed)
    .map((path) => inside(text(path)))
    .filter((path) => !isPlain(path, 'name'));

export function History() {
  const { wrong, retry } = useLoaded(loadHistory, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  const calls = history.value;
  if (!calls) return <Busy what="Reading the history" />;
  if (calls.length === 0) return <Empty icon="clock" title="No calls yet" />;
  const steps = stepsBefore(calls);
  return (
    <div class="column scroll">
      <ol class="calls">
        {calls.map((call) => (
          <li key={text(call.id)} class="call-row">
            <span class="muted small when">{day(text(call.at))}</span>
            <span class={`tag ${call.caller === 'agent' ? 'accent' : ''}`}>{text(call.caller)}</span>
            <span class="mono tool">{text(call.tool)}</span>
            <span class="what">
              <Plain text={text(call.summary) || list(call.changed).join(' ') || 'done'} />
              {odd(call).map((path) => (
                <Name key={path} text={path} mono />
              ))}
            </span>
            <WalkBack to={call} steps={steps.get(call)} />
          </li>
        ))}
      </ol>
    </div>
  );
}
