// A decision in plain words, with all its log records.

import type { ComponentChildren } from 'preact';

import { CopyStep } from '../../parts/next-step.js';
import { Name, Plain } from '../../parts/plain.js';
import { countBetween } from '../../state/decisions.js';
import type { Decision, Result } from '../../state/decisions.js';
import { commits } from '../../state/repo.js';

const RESULTS: { [result in Result]: [word: string, tone: string] } = {
  landed: ['Pushed', 'success'],
  'not-landed': ['Not pushed', 'danger'],
  'in-doubt': ['In doubt', 'warning'],
  settled: ['Settled', ''],
  open: ['Not finished', 'warning'],
};

function Result({ of }: { of: Decision }) {
  if (of.isRejected) return <span class="tag danger">Rejected</span>;
  if (!of.result) return null;
  const [word, tone] = RESULTS[of.result];
  const isBundle = of.kind === 'bundle' && of.result === 'landed';
  return <span class={`tag ${tone}`}>{isBundle ? 'Created' : word}</span>;
}

function commitsOf({ old, new: now, isRejected }: Decision): string {
  // A rejected file may be gone since, and others may have taken its place.
  const count = isRejected ? undefined : countBetween(commits.value ?? [], old, now);
  return count === undefined ? '' : `: ${count} commit${count === 1 ? '' : 's'}`;
}

function Place({ of }: { of: Decision }) {
  return (
    <>
      {of.kind === 'bundle' ? (
        'a bundle of '
      ) : (
        <>
          a push to <Name text={of.target.replace(/^github:/, '')} mono />,{' '}
        </>
      )}
      <Name text={of.branch} mono />
      {commitsOf(of)}
    </>
  );
}

function What({ of }: { of: Decision }) {
  const verb = of.isRejected ? 'rejected' : 'approved';
  const who = <Plain text={of.who} clip={false} />;
  const how = of.how && (
    <>
      , <Plain text={of.how} clip={false} />
    </>
  );
  if (of.kind === 'unknown') return <>A record that this page does not know</>;
  if (of.kind === 'rule') {
    return (
      <>
        {who} saved a rule{how}
      </>
    );
  }
  return (
    <>
      {who} {verb}{' '}
      {of.kind === 'call' ? (
        <>
          {of.caller === 'agent' ? "the agent's " : 'a call of '}
          <Plain text={of.tool} clip={false} mono />
        </>
      ) : (
        <Place of={of} />
      )}
      {how}
    </>
  );
}

const Fact = ({ of, children }: { of: string; children: ComponentChildren }) => (
  <>
    <dt>{of}</dt>
    <dd>{children}</dd>
  </>
);

function Facts({ of }: { of: Decision }) {
  const facts: [string, string][] = [
    ['Time', of.at > 0 ? new Date(of.at).toISOString() : ''],
    ['Target', of.target],
    ['Branch', of.branch],
    ['From', of.old || (of.new && 'a new branch')],
    ['To', of.new],
    ['Digest', of.digest],
    ['Settled by', of.settledBy],
  ];
  const records = JSON.stringify(of.records, null, 2);
  return (
    <details class="audit-facts">
      <summary class="small muted">Details</summary>
      <dl class="small">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <Fact key={name} of={name}>
              <Plain text={value} clip={false} mono />
            </Fact>
          ))}
      </dl>
      <pre class="small" tabIndex={0} aria-label="Record">
        <Plain text={records} clip={false} />
      </pre>
      <CopyStep label="Copy the record" text={records} />
    </details>
  );
}

export function DecisionRow({ of }: { of: Decision }) {
  const about = of.kind === 'rule' ? of.rule : of.summary;
  return (
    <li class="audit-row">
      <span class="muted small when">
        {of.at > 0 && new Date(of.at).toLocaleTimeString('en-GB', { timeStyle: 'short' })}
      </span>
      <div>
        <div class="audit-what">
          <span>
            <What of={of} />
          </span>
          <Result of={of} />
        </div>
        {about && (
          <div class="muted small">
            <Plain text={about} clip={false} />
          </div>
        )}
        {of.reason && (
          <blockquote class="small">
            <Plain text={of.reason} clip={false} />
          </blockquote>
        )}
        <Facts of={of} />
      </div>
    </li>
  );
}
