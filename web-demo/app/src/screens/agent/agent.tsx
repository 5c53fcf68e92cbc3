import { useEffect } from 'preact/hooks';

import { Button, Empty } from '../../parts/bits.js';
import { Editor } from '../../parts/editor.js';
import { Lost } from '../../parts/lost.js';
import { calls, loadTools, next, restart, run, running, script, steps, stop } from '../../state/agent.js';
import { openWaiting } from '../../state/keys.js';
import { live } from '../../state/live.js';
import { SAMPLE } from '../../state/sample.js';
import { goConnect } from '../../state/route.js';
import { attempt } from '../../state/toast.js';
import { complete } from './complete.js';
import { Transcript } from './transcript.js';

function loadSample(): void {
  restart();
  script.value = SAMPLE;
}

function Asked() {
  if (!live.value) return null;
  const what =
    live.value.question.about === 'push'
      ? 'The agent asks you about what would leave.'
      : 'The agent asks you about a call.';
  return (
    <div class="banner" role="status">
      <span class="grow">{what} It waits for your answer.</span>
      <Button kind="primary" icon="gate" keys="g w" onClick={openWaiting}>
        Review
      </Button>
    </div>
  );
}

export function Agent() {
  useEffect(() => attempt(loadTools), []);
  const left = calls().filter(({ at }) => at >= next.value);
  const isRunning = running.value !== undefined;
  const upcoming = left[0];
  return (
    <div class="agent">
      <section class="agent-script" aria-label="Script">
        <div class="bar-row">
          <Button
            kind="primary"
            icon="play"
            keys="⇧N"
            isDisabled={isRunning || left.length === 0}
            onClick={() => attempt(() => run(true))}
          >
            Run all
          </Button>
          <Button keys="N" isDisabled={isRunning || left.length === 0} onClick={() => attempt(() => run(false))}>
            Run one
          </Button>
          <Button icon="stop" isDisabled={!isRunning} onClick={stop}>
            Stop
          </Button>
          <span class="grow" />
          <Button kind="quiet" isDisabled={isRunning} onClick={restart}>
            Start over
          </Button>
          <Button kind="quiet" isDisabled={isRunning} onClick={loadSample}>
            Sample
          </Button>
        </div>
        <Editor
          name="script"
          text={script.value}
          label="The agent's calls"
          hint={'One call a line, for example:\nwrite_file {"path": "a.md", "content": "one"}'}
          complete={complete}
          onChange={(text) => (script.value = text)}
        />
        <div class="bar-row muted small">
          {isRunning ? (
            <span>
              Waiting for <span class="mono">{steps.value.at(-1)?.tool}</span>…
            </span>
          ) : upcoming ? (
            <span>
              Next: line {upcoming.at + 1}, <span class="mono">{upcoming.tool}</span>
            </span>
          ) : (
            <span>{script.value.trim() ? 'All calls have been made.' : 'Load the sample, or write calls.'}</span>
          )}
          <span class="grow" />
          <button type="button" class="link" onClick={goConnect} title="How to connect a real agent (g k)">
            Connect your agent
          </button>
        </div>
      </section>
      <section class="agent-transcript" aria-label="Transcript">
        <Asked />
        {steps.value.length > 0 ? (
          <Transcript />
        ) : (
          <Empty icon="play" title="What the agent reads">
            <Lost />
            <p>
              Each call and its result, as an agent gets them. It cannot push, read outside, or answer its own
              questions.
            </p>
            {!script.value.trim() && (
              <Button kind="primary" onClick={loadSample}>
                Load the sample
              </Button>
            )}
          </Empty>
        )}
      </section>
    </div>
  );
}
