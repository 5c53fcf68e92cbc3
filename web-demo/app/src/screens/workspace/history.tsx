import { Busy, Button, Empty, day } from '../../parts/bits.js';
import { Failed, useLoaded } from '../../parts/loaded.js';
import { Name, Plain } from '../../parts/plain.js';
import { isPlain } from '../../parts/stand-in.js';
import { ask } from '../../state/dialog.js';
import { inside, list, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { hasOlderCalls, history, loadHistory, loadOlderCalls, undo } from '../../state/repo.js';
import { changed } from '../../state/session.js';
import { attempt, note } from '../../state/toast.js';

const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

/** The number of later calls after each undoable call. Others, such as an undo, do not count. */
function callsAfter(all: Row[]): Map<Row, number> {
  const undoable = all.filter((call) => call.undoable === true);
  return new Map(undoable.map((call, at) => [call, at]));
}

const RETURN =
  'Files, index, branches and staged commits return to what they were. What was pushed stays pushed. This cannot be undone.';

async function takeBack(to: Row, after: number): Promise<void> {
  const what =
    after === 0
      ? { title: 'Undo the latest call?', body: RETURN, action: 'Undo' }
      : { title: 'Restore to here?', body: `The latest ${calls(after)} are undone. ${RETURN}`, action: 'Restore' };
  if ((await ask({ ...what, isDangerous: true })) === undefined) return;
  await loadHistory();
  const now = [...callsAfter(history.value ?? [])].find(([call]) => text(call.id) === text(to.id))?.[1];
  // An agent made further calls meanwhile, which the question did not mention.
  if (now !== after) return note('The history has changed. Nothing was undone.');
  await undo(Math.max(1, after));
  note(after === 0 ? 'Undone.' : `Restored: the latest ${calls(after)} are undone.`);
}

/** Undoes the latest call. For any other call it restores the state after that call. */
function TakeBack({ to, after }: { to: Row; after: number | undefined }) {
  if (after === undefined) return null;
  const what = after === 0 ? 'Undo' : 'Restore to here';
  const label = after === 0 ? `Undo ${text(to.tool)}` : `Restore to here, before the latest ${calls(after)}`;
  return (
    <Button kind="quiet" icon="undo" label={label} onClick={() => attempt(() => takeBack(to, after))}>
      {what}
    </Button>
  );
}

/** A summary is one escaped and shortened line. Names that it cannot show whole appear beside it. */
const odd = (call: Row): string[] =>
  list(call.changed)
    .map((path) => inside(text(path)))
    .filter((path) => !isPlain(path, 'name'));

export function History() {
  const { wrong, retry } = useLoaded(loadHistory, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  const all = history.value;
  if (!all) return <Busy what="Reading the history" />;
  if (all.length === 0) return <Empty icon="clock" title="No calls yet" />;
  const after = callsAfter(all);
  return (
    <div class="column scroll">
      <ol class="calls">
        {all.map((call) => (
          <li key={text(call.id)} class="call-row">
            <span class="muted small when">{day(text(call.at))}</span>
            <span class={`tag ${call.caller === 'agent' ? 'accent' : ''}`}>
              {call.caller === 'user' ? 'you' : text(call.caller)}
            </span>
            <span class="mono tool">{text(call.tool)}</span>
            <span class="what">
              <Plain text={text(call.summary) || list(call.changed).join(' ') || 'done'} />
              {odd(call).map((path) => (
                <Name key={path} text={path} mono />
              ))}
            </span>
            <TakeBack to={call} after={after.get(call)} />
          </li>
        ))}
      </ol>
      {hasOlderCalls.value && (
        <div class="pad">
          <Button onClick={() => attempt(loadOlderCalls)}>Show older</Button>
        </div>
      )}
    </div>
  );
}
