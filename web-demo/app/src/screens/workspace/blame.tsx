import { Button, day } from '../../parts/bits.js';
import { Loaded } from '../../parts/loaded.js';
import { Name, Plain } from '../../parts/plain.js';
import { number, rows, text } from '../../state/json.js';
import type { Row } from '../../state/json.js';
import { blame } from '../../state/repo.js';
import { currentName, go, link, route } from '../../state/route.js';

/** Longer files are shown to this line, for they are not virtual. */
const MOST = 5000;

function Lines({ found }: { found: Row }) {
  const commits = rows(found.commits);
  const lines = rows(found.lines).flatMap((part) => {
    const commit = commits[number(part.commit)];
    const all = text(part.content).replace(/\n$/, '').split('\n');
    return all.map((line, at) => ({ commit, line, number: number(part.start) + at, isFirst: at === 0 }));
  });
  return (
    <div class="blame mono" role="table" aria-label="Blame" tabIndex={0}>
      {lines.slice(0, MOST).map(({ commit, line, number, isFirst }) => (
        <div key={number} role="row" class={isFirst ? 'blame-row first' : 'blame-row'}>
          <span role="cell" class="blame-who">
            {isFirst && commit && (
              <>
                <a href={link(currentName.value ?? '', 'commits', text(commit.commitId))}>
                  {text(commit.commitId).slice(0, 8)}
                </a>
                <Plain text={text(commit.author)} />
                <span class="muted">{text(commit.authorTime) && day(text(commit.authorTime))}</span>
              </>
            )}
          </span>
          <span role="cell" class="blame-number muted">
            {number}
          </span>
          <span role="cell" class="blame-line">
            <Plain text={line} clip={false} />
          </span>
        </div>
      ))}
      {lines.length > MOST && <p class="muted pad">{lines.length - MOST} more lines are not shown.</p>}
    </div>
  );
}

export function Blame() {
  const path = route.value.rest;
  return (
    <div class="column">
      <div class="bar-row">
        <Button kind="quiet" icon="chevron" label="Back to the file" onClick={() => go('files', path)} />
        <strong>Blame</strong>
        <Name text={path} mono />
      </div>
      <Loaded key={path} load={() => blame(path)} by={[path]} what="Asking who wrote it">
        {(found) => <Lines found={found} />}
      </Loaded>
    </div>
  );
}
