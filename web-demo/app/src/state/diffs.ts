// The diffs of commits and of the working folder, file by file. A diff that the tool left out is loaded
// when a person opens the file.

import { GitgateError } from 'gitgate';
import type { Reply, ToolArguments } from 'gitgate';

import { paired } from '../parts/diff/paired.js';
import { countsOf, parsePatch } from '../parts/diff/patch.js';
import type { FilePatch } from '../parts/diff/patch.js';
import { inside, list, number, row, rows, text } from './json.js';
import type { Row } from './json.js';
import { parentsOf } from './log.js';
import { commits, loadCommits, readFile, unstaged } from './repo.js';
import { MOST_TEXT } from './room.js';
import { need } from './session.js';

const max_bytes = MOST_TEXT;

interface Part {
  said: string;
  found: Row;
}

function part(reply: Reply): Part {
  if (reply.outcome === 'done') return { said: reply.text, found: row(reply.structured) };
  if (reply.outcome === 'failed') throw new GitgateError(reply.kind, reply.message, reply.hint);
  throw new GitgateError('not-approved', reply.reason, reply.hint);
}

const diff = async (args: ToolArguments['git_diff']): Promise<Part> =>
  part(await need().call('git_diff', { ...args, max_bytes }, { as: 'user' }));

const LETTERS: { [status: string]: string } = { added: 'A', deleted: 'D', renamed: 'R', typechange: 'T' };

const pathOf = (file: Row): string => inside(text(file.path));

/** A file whose patch is not loaded yet. */
const later = (file: Row, load: () => Promise<FilePatch>): FilePatch => ({
  path: pathOf(file),
  escaped: 'git',
  status: LETTERS[text(file.status)] ?? 'M',
  head: '',
  hunks: [],
  added: number(file.added),
  deleted: number(file.deleted),
  load,
});

/** The patch of one file, from as many calls as its hunks need. */
async function fileDiff(path: string, between: ToolArguments['git_diff']): Promise<FilePatch> {
  let whole: FilePatch | undefined;
  for (let start_hunk = 1; ;) {
    const { said, found } = await diff({ ...between, paths: [path], start_hunk });
    const [some] = parsePatch(said);
    if (!some)
      throw new GitgateError('not-found', `there is no change of ${path} any more`, 'look at the changes again');
    const next = number(row(found.next).startHunk);
    // The hunk in which the text was cut comes whole with the next part.
    const hunks = next > start_hunk ? some.hunks.slice(0, next - start_hunk) : some.hunks;
    whole = whole ? { ...whole, hunks: [...whole.hunks, ...hunks] } : { ...some, hunks };
    if (found.truncated !== true) return counted(whole);
    if (next <= start_hunk) return counted({ ...whole, isCut: true });
    start_hunk = next;
  }
}

const counted = (patch: FilePatch): FilePatch => ({ ...patch, ...countsOf(patch.hunks) });

export interface Diff {
  patches: FilePatch[];
  /** The number of further files, about which nothing is known. */
  missing: number;
}

/** All files that `of` names: those with loaded patches, then the others. */
function files({ said, found }: Part, of: Row, between: ToolArguments['git_diff']): Diff {
  const listed = rows(of.files);
  const omitted = new Set(list(found.omitted).map((path) => inside(text(path))));
  const there = parsePatch(said).filter(({ path }) => !omitted.has(path));
  if (found.truncated !== true) return { patches: there, missing: 0 };
  const named = new Map(there.map((patch) => [patch.path, patch]));
  const known = new Set(listed.map(pathOf));
  const missing = [...omitted].filter((path) => !known.has(path)).map((path): Row => ({ path }));
  const rest = [...listed, ...missing].filter((file) => !named.has(pathOf(file)));
  const patches = [...there, ...rest.map((file) => later(file, () => fileDiff(pathOf(file), between)))];
  return { patches, missing: Math.max(0, listed.length + number(of.filesOmitted) - patches.length) };
}

/** The empty tree, which the first commit is compared with. */
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** For a merge: its changes against its first parent. */
export async function commitDiff(commit: Row): Promise<Diff> {
  const id = text(commit.commitId);
  const parents = parentsOf(commit);
  const between = { from_ref: parents[0] ?? EMPTY, to_ref: id };
  if (parents.length > 1) {
    const whole = await diff(between);
    return renamed(files(whole, whole.found, between));
  }
  const shown = part(await need().call('git_show', { commit: id, max_bytes }, { as: 'user' }));
  const [one = {}] = rows(shown.found.commits);
  return renamed(files(shown, one, between));
}

const renamed = ({ patches, missing }: Diff): Diff => ({ patches: paired(patches), missing });

/** Some new files are loaded at once, to find what deleted ones were renamed to. */
const FEW = 200;

/** The difference from the last commit. For a new file, all of it. */
export async function workingDiff(): Promise<Diff> {
  await loadCommits();
  // Before the first commit there is nothing to compare with.
  const between = { from_ref: commits.value?.length === 0 ? EMPTY : 'HEAD' };
  const changed = await diff(between);
  const { patches, missing } = files(changed, changed.found, between);
  const known = new Set(patches.map(({ path }) => path));
  const fresh = unstaged.value.filter((one) => one.status === 'new').map(pathOf);
  const others = fresh.filter((path) => !known.has(path));
  const isRead = others.length <= FEW && patches.some(({ status }) => status === 'D');
  for (const path of others) {
    const load = (): Promise<FilePatch> => newFile(path);
    patches.push(isRead ? await load() : later({ path, status: 'added' }, load));
  }
  return renamed({ patches, missing });
}

/** A file that the tool does not know. */
async function newFile(path: string): Promise<FilePatch> {
  const { text: content, isBinary, isCut } = await readFile(path);
  const none = { path, status: 'A', escaped: undefined, head: '', hunks: [], added: 0, deleted: 0 };
  if (isBinary) return { ...none, head: 'Binary file\n' };
  if (content === '') return none;
  const lines = content.replace(/\n$/, '').split('\n');
  const end = content.endsWith('\n') || isCut ? '' : '\\ No newline at end of file\n';
  const hunk = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}${end}`;
  return { ...none, hunks: [hunk], added: lines.length, ...(isCut && { isCut }) };
}
