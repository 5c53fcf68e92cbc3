import type { Tree } from '@lezer/common';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Button, day } from '../../parts/bits.js';
import { Chunk } from '../../parts/chunk.js';
import { COLOURS, coloured } from '../../parts/colours.js';
import { language } from '../../parts/languages.js';
import { Loaded } from '../../parts/loaded.js';
import { Name, Parts, Plain } from '../../parts/plain.js';
import { adopt } from '../../parts/sheet.js';
import { text } from '../../state/json.js';
import { blame } from '../../state/blame.js';
import type { Blamed, BlamedLine } from '../../state/blame.js';
import { currentName, go, link, route } from '../../state/route.js';
import { attempt } from '../../state/toast.js';

/** A longer text has no colours, because nothing would show until they are computed. */
const MOST_COLOURED = 1 << 20;
const CHUNK = 100;
/** Height of an unwrapped line in pixels. */
const HEIGHT = 20;

/** The parse of a text in its language. */
function useTree(path: string, content: string): Tree | undefined {
  const [tree, setTree] = useState<{ of: string; is: Tree } | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    attempt(async () => {
      const found = content.length > MOST_COLOURED ? undefined : await language(path);
      if (!found || !isCurrent) return;
      adopt(document, COLOURS);
      setTree({ of: content, is: found.language.parser.parse(content) });
    });
    return () => void (isCurrent = false);
  }, [path, content]);
  return tree?.of === content ? tree.is : undefined;
}

/** The offset of each line in the text. */
function startsOf(lines: BlamedLine[]): number[] {
  let next = 0;
  return lines.map(({ text }) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
}

function Line({ line, children }: { line: BlamedLine; children: preact.ComponentChildren }) {
  const { commit, number, isFirst } = line;
  return (
    <div role="row" aria-rowindex={number} class={isFirst ? 'blame-row first' : 'blame-row'}>
      <span role="cell" class="blame-who">
        {isFirst && (
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
        {children}
      </span>
    </div>
  );
}

function Lines({ path, found }: { path: string; found: Blamed }) {
  const [{ lines, isCut }, setShown] = useState(found);
  const [isBusy, setBusy] = useState(false);
  const content = useMemo(() => lines.map(({ text }) => text).join('\n'), [lines]);
  const starts = useMemo(() => startsOf(lines), [lines]);
  const tree = useTree(path, content);
  const more = async (): Promise<void> => {
    setBusy(true);
    try {
      const next = await blame(path, (lines.at(-1)?.number ?? 0) + 1);
      setShown({ lines: [...lines, ...next.lines], isCut: next.isCut });
    } finally {
      setBusy(false);
    }
  };
  const chunks = Array.from({ length: Math.ceil(lines.length / CHUNK) }, (_, at) => at * CHUNK);
  return (
    <>
      <div
        class="blame mono"
        role="table"
        aria-label="Blame"
        aria-rowcount={isCut ? -1 : lines.length}
        aria-busy={isBusy}
        tabIndex={0}
      >
        {chunks.map((from) => {
          const some = lines.slice(from, from + CHUNK);
          return (
            <Chunk key={from} height={some.length * HEIGHT} isFirst={from === 0}>
              {() =>
                some.map((line, at) => {
                  const start = starts[from + at] ?? 0;
                  const parts = tree ? coloured(content, tree, start, start + line.text.length) : [{ text: line.text }];
                  return (
                    <Line key={line.number} line={line}>
                      <Parts of={parts} />
                    </Line>
                  );
                })
              }
            </Chunk>
          );
        })}
      </div>
      {isCut && (
        <div class="bar-row">
          <span class="muted small" role="status">
            Lines after {lines.length.toLocaleString('en')} are not shown
          </span>
          {!isBusy && <Button onClick={() => attempt(more)}>Show more</Button>}
        </div>
      )}
    </>
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
        {(found) => <Lines path={path} found={found} />}
      </Loaded>
    </div>
  );
}
