// A review of a push: what is asked, what the person has seen of it, and what they would leave
// out. It knows nothing of where the question comes from, and what becomes of the answer.

import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { FileChange, Patch, PushQuestion, Revision, Risk } from 'gitgate';

import { unquote } from '../../parts/quoted.js';
import { text } from '../../state/json.js';
import { PROTECTED, leaving } from './leaving.js';
import { renamed } from './renamed.js';

/** Digits by which a risk names a commit. */
const SHORT = 7;
/** Where the SDK says that an export goes. */
export const EXPORTS = 'bare:/exports/';

export interface ReviewFile {
  change: FileChange;
  /** Its name itself. */
  path: string;
  patch: Patch;
  risks: Risk[];
  /** The beginning of the commit's id, if it is only in an intermediate one: then it cannot be left out. */
  commit: string | undefined;
  /** The same as long as its change is the same. */
  key: string;
}

/** What a change is called where a risk names it, by its path as a screen shows it. */
function places(path: string, commit?: string): string[] {
  const within = commit === undefined ? '' : ` of the commit ${commit}`;
  return ['', 'the name ', 'the target of the link '].map((what) => `${what}${path}${within}`);
}

/** Which risks are about a place. */
function risksOf({ push }: PushQuestion): Map<string, number[]> {
  const found = new Map<string, number[]>();
  push?.review.flags.forEach(({ path, commit, place, name }, at) => {
    // A misleading name is a file's, or the branch's, which is no file here.
    const named = path === undefined ? (place ?? name) : places(path, text(commit) || undefined)[0];
    if (typeof named === 'string') found.set(named, [...(found.get(named) ?? []), at]);
  });
  return found;
}

/** The files, and behind them what only intermediate commits hold: it leaves as well. */
function filesOf(asked: PushQuestion | undefined): ReviewFile[] {
  if (!asked?.push) return [];
  const about = risksOf(asked);
  const { files, intermediate } = asked.push.review;
  const all: { change: FileChange; commit?: string }[] = [...files.map((change) => ({ change })), ...intermediate];
  return all.map(({ change, commit: id }, at) => {
    const patch = asked.patches?.[at] ?? { path: change.path, head: '', hunks: [] };
    const commit = id?.slice(0, SHORT);
    const key = [change.path, change.old?.id, change.old?.mode, change.new?.id, change.new?.mode, commit].join(' ');
    const mine = places(patch.path, commit).flatMap((place) => about.get(place) ?? []);
    // The worst is the first.
    const risks = mine.sort((a, b) => a - b).flatMap((at) => asked.risks?.[at] ?? []);
    return { change, path: unquote(change.path), patch, risks, commit, key };
  });
}

const isHigh = ({ risks }: ReviewFile): boolean => risks.some(({ severity }) => severity === 'high');

/** What a person has seen and done in the review of a push. */
export interface Seen {
  opened: Set<string>;
  selected: number;
  isList: boolean;
  out: Map<string, 'all' | Set<number>>;
  message: string | undefined;
}

/** Keeps it by what leaves, so that it outlives the page. */
export interface Keeper {
  find(what: string): Seen | undefined;
  keep(what: string, seen: Seen): void;
}

/** The same as long as the same leaves. The digest of an export is another one each time it is asked about. */
export function identity(asked: PushQuestion | undefined): string | undefined {
  const push = asked?.push;
  return push?.target.startsWith(EXPORTS) ? `${push.branch} ${push.review.new}` : push?.digest;
}

export class ReviewModel {
  readonly files = computed(() => filesOf(this.asked.value));
  readonly risks = computed(() => leaving(this.asked.value, this.isBundle.value));
  /** What new files were called before, by their keys. */
  readonly renamed = computed(() => renamed(this.files.value));
  /** Whether it is downloaded, and pushed nowhere. */
  readonly isBundle = computed(() => this.asked.value?.push?.target.startsWith(EXPORTS) === true);
  readonly opened = signal(new Set<string>());
  readonly selected = signal(0);
  /** Whether the list is in sight where there is no room for the changes beside it. */
  readonly isList = signal(true);
  readonly file = computed(() => this.files.value[this.selected.value]);
  /** What is left out: whole files, and hunks by their number. */
  readonly out = signal(new Map<string, 'all' | Set<number>>());
  /** The message of the last commit, if the person has another one. */
  readonly message = signal<string | undefined>(undefined);
  /** Whether the rule that is offered is saved with the approval. */
  readonly remember = signal(false);
  readonly isRevised = computed(() => this.out.value.size > 0 || this.message.value !== undefined);
  /** What has not been on the screen. Another push has the same files as long as their bytes are the same. */
  readonly unopened = computed(() => this.files.value.filter(({ key }) => !this.opened.value.has(key)));
  readonly unopenedHigh = computed(() => this.unopened.value.filter((file) => !this.isWhole.value || isHigh(file)));
  /** Whether there are the patches and the risks of all files. Without them nothing can be seen, and approved. */
  readonly isWhole = computed(() => {
    const { push, patches, risks } = this.asked.value ?? {};
    return !push || (patches != null && risks != null);
  });
  readonly isProtected = computed(
    () => !this.isBundle.value && this.asked.value?.push?.review.flags.some(({ flag }) => flag === PROTECTED) === true,
  );

  constructor(
    readonly asked: ReadonlySignal<PushQuestion | undefined>,
    /** The keys of the files that have been reviewed. They outlive this push. */
    readonly marks: Signal<Set<string>>,
    keeper?: Keeper,
  ) {
    // Another push begins anew, but what has been seen of the same changes stays seen.
    const what = signal<string | undefined>(undefined);
    effect(() => {
      const now = identity(asked.value);
      if (now === undefined || now === what.peek()) return;
      const seen = keeper?.find(now);
      what.value = now;
      this.out.value = seen?.out ?? new Map();
      this.message.value = seen?.message;
      this.remember.value = false;
      this.selected.value = seen?.selected ?? 0;
      this.isList.value = seen?.isList ?? true;
      if (seen) this.opened.value = new Set([...this.opened.peek(), ...seen.opened]);
    });
    effect(() => {
      if (what.value !== undefined) keeper?.keep(what.value, this.#seen());
    });
  }

  #seen(): Seen {
    const { opened, selected, isList, out, message } = this;
    return {
      opened: opened.value,
      selected: selected.value,
      isList: isList.value,
      out: out.value,
      message: message.value,
    };
  }

  /** What a deleted file is called now. */
  movedTo({ change, path, commit }: ReviewFile): string | undefined {
    if (change.status !== 'D' || commit !== undefined) return undefined;
    const [key] = [...this.renamed.value].find(([, { from }]) => from === path) ?? [];
    return this.files.value.find((file) => file.key === key)?.path;
  }

  select(at: number): void {
    if (this.files.value[at]) this.selected.value = at;
  }

  /** Selects a file, and brings its changes into sight. */
  open(at: number): void {
    this.select(at);
    this.isList.value = false;
  }

  /** Opens the next file that has not been opened, those of high risk first. */
  openNext(): void {
    const after = this.unopened.value.find((file) => this.files.value.indexOf(file) > this.selected.value);
    const next = this.unopenedHigh.value[0] ?? after ?? this.unopened.value[0];
    if (next) this.open(this.files.value.indexOf(next));
  }

  /** The changes of the file that is selected are in sight. */
  see(): void {
    const { value: now } = this.file;
    if (!this.isWhole.value) return;
    if (now && !this.opened.value.has(now.key)) this.opened.value = new Set(this.opened.value).add(now.key);
  }

  toggleMark(at = this.selected.value): void {
    const found = this.files.value[at];
    if (!found) return;
    const now = new Set(this.marks.value);
    if (!now.delete(found.key)) now.add(found.key);
    this.marks.value = now;
  }

  /** Whether all of it is left out, or these hunks. */
  left({ change, commit }: ReviewFile): 'all' | Set<number> | undefined {
    return commit === undefined ? this.out.value.get(change.path) : undefined;
  }

  toggleFile({ change, commit }: ReviewFile): void {
    if (commit !== undefined) return;
    const now = new Map(this.out.value);
    if (!now.delete(change.path)) now.set(change.path, 'all');
    this.out.value = now;
  }

  /** Hunks are counted from 1. */
  toggleHunk(path: string, hunk: number, count: number): void {
    const now = new Map(this.out.value);
    const before = now.get(path);
    const all = Array.from({ length: count }, (_, at) => at + 1);
    const hunks = new Set(before === 'all' ? all : before);
    if (!hunks.delete(hunk)) hunks.add(hunk);
    if (hunks.size === 0) now.delete(path);
    else now.set(path, hunks.size === count ? 'all' : hunks);
    this.out.value = now;
  }

  revision(): Revision {
    const leaveOut = [...this.out.value].map(([path, what]) =>
      what === 'all' ? { path } : { path, hunks: [...what].sort((a, b) => a - b) },
    );
    const message = this.message.value;
    return { ...(leaveOut.length > 0 && { leaveOut }), ...(message !== undefined && { message }) };
  }
}
