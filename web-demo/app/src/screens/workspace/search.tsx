// Searches all files, and links to the lines it finds.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { Busy, Button, Empty, Trouble } from '../../parts/bits.js';
import { Parts, Path } from '../../parts/plain.js';
import type { Part } from '../../parts/plain.js';
import { hitsOf } from '../../state/hits.js';
import { currentName, go, link } from '../../state/route.js';
import { answer, query, search, searchProblem, searching, showMore, stopSearch, wanted } from '../../state/search.js';
import type { Answer, Match, Query } from '../../state/search.js';
import { spot } from '../../state/spot.js';

function change(part: Partial<Query>): void {
  query.value = { ...query.value, ...part };
}

/** Searches again at once, if there is a query. */
function toggle(part: Partial<Query>): void {
  change(part);
  search();
}

function Form() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [wanted.value]);
  const { text, isExact, isRegex, glob } = query.value;
  return (
    <form
      class="find-bar"
      role="search"
      aria-label="Search in files"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <Button kind="quiet" icon="chevron" label="Back to the files" onClick={() => go('files')} />
      <input
        ref={field}
        type="text"
        aria-label="Search for"
        placeholder="Search in files"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => change({ text: event.currentTarget.value })}
      />
      <input
        type="text"
        aria-label="Files"
        placeholder="Files, such as *.ts or src/**"
        autocomplete="off"
        spellcheck={false}
        value={glob}
        onInput={(event) => change({ glob: event.currentTarget.value })}
      />
      <label class="check">
        <input type="checkbox" checked={isExact} onChange={() => toggle({ isExact: !isExact })} />
        Match case
      </label>
      <label class="check">
        <input type="checkbox" checked={isRegex} onChange={() => toggle({ isRegex: !isRegex })} />
        Regular expression
      </label>
      <button type="submit" class="button primary">
        Search
      </button>
    </form>
  );
}

/** The line in parts, with the matches marked. */
function partsOf(line: string, hits: [from: number, to: number][]): Part[] {
  const ends = [0, ...hits.flat(), line.length];
  return ends.slice(1).map((to, at) => {
    const text = line.slice(ends[at], to);
    return at % 2 === 1 ? { text, look: 'hit' } : { text };
  });
}

function FileMatches({ path, matches, hits }: { path: string; matches: Match[]; hits: ReturnType<typeof hitsOf> }) {
  return (
    <section class="found-file">
      <h2>
        <Path text={path} />
        <span class="count">{matches.length}</span>
      </h2>
      {matches.map(({ line, text }) => (
        <a
          key={line}
          class="found-line mono"
          href={link(currentName.value ?? '', 'files', path)}
          onClick={() => (spot.value = { path, line })}
        >
          <span class="muted">{line}</span>
          <Parts of={partsOf(text, hits(text))} />
        </a>
      ))}
    </section>
  );
}

const count = (of: number, one: string, more: string): string => `${of.toLocaleString('en')} ${of === 1 ? one : more}`;

function Found({ found: { query, matches, next, isCut } }: { found: Answer }) {
  const hits = useMemo(() => hitsOf(query), [query]);
  const files = [...new Set(matches.map(({ path }) => path))];
  const byFile = new Map<string, Match[]>(files.map((path) => [path, []]));
  for (const one of matches) byFile.get(one.path)?.push(one);
  if (matches.length === 0 && next === undefined && !isCut) return <Empty icon="search" title="No matches" />;
  return (
    <div class="found" role="region" aria-label="Matches" tabIndex={0}>
      <p class="muted small pad" role="status">
        {count(matches.length, 'match', 'matches')} in {count(files.length, 'file', 'files')}
        {next !== undefined && ' so far'}
      </p>
      {[...byFile].map(([path, some]) => (
        <FileMatches key={path} path={path} matches={some} hits={hits} />
      ))}
      {isCut && <p class="muted small pad">There are more matches, which are not shown.</p>}
      {next !== undefined && !searching.value && (
        <p class="pad">
          <Button onClick={showMore}>Show more</Button>
        </p>
      )}
    </div>
  );
}

export function Search() {
  const wrong = searchProblem.value;
  return (
    <div class="column">
      <Form />
      {wrong && (
        <div class="pad">
          <Trouble message={wrong.message} hint={wrong.hint} />
        </div>
      )}
      {answer.value && <Found found={answer.value} />}
      {searching.value && <Busy what="Searching" stop={stopSearch} />}
    </div>
  );
}
