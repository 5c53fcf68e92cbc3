import { Busy, Empty, day } from '../../parts/bits.js';
import { Failed, useLoaded } from '../../parts/loaded.js';
import { Plain } from '../../parts/plain.js';
import { audit, loadAudit } from '../../state/repo.js';
import { sentence } from '../../state/sentence.js';
import { changed } from '../../state/session.js';

/** A decision is a line, and what belongs to it is indented. */
const decisions = (log: string): string[][] =>
  log
    .split(/\n(?=\S)/)
    .filter((part) => part.trim())
    .map((part) => part.trimEnd().split('\n'));

export function Audit() {
  const { wrong, retry } = useLoaded(loadAudit, [changed.value]);
  if (wrong) return <Failed wrong={wrong} retry={retry} />;
  if (audit.value === undefined) return <Busy what="Reading the log" />;
  const all = decisions(audit.value).reverse();
  if (all.length === 0) {
    return (
      <Empty icon="check" title="Nothing has been decided yet">
        Each approval and rejection is kept here, with who decided and what became of it.
      </Empty>
    );
  }
  return (
    <div class="column scroll">
      <ol class="calls">
        {all.map(([first = '', ...rest], at) => {
          const [, when = '', what = first] = /^(\S+Z) (.*)$/.exec(first) ?? [];
          const tone = /reject/.test(what) ? 'danger' : /approved|landed/.test(what) ? 'success' : '';
          return (
            <li key={all.length - at} class="audit-row">
              <span class="muted small when" title={when}>
                {when && day(when)}
              </span>
              <div>
                <span class={`dot ${tone}`} />
                <Plain text={sentence(what)} clip={false} />
                {rest.map((line, index) => (
                  <div key={index} class="muted mono small">
                    <Plain text={line.trim()} clip={false} />
                  </div>
                ))}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
