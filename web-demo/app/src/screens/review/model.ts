// The model of a push's review: the question, what the person has seen, and what they leave out. It knows
// neither the origin of the question nor the effect of the answer.

import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { CommentPlace, FileChange, Listed, Patch, PushQuestion, Revision, Risk, Side, Spot } from 'gitgate';

import { withoutBlanks } from '../../parts/diff/blanks.js';
import { apart } from '../../parts/diff/patch.js';
import { unquote } from '../../parts/quoted.js';
import { text } from '../../state/json.js';
import { PROTECTED, leaving } from './leaving.js';
import { Noted, pathOf } from './noted.js';
import type { Keeping, Placed } from './noted.js';
import { isNotebook } from './cells.js';
import { linesAt } from './place.js';
import type { View } from './view-bar.js';
import { renamed } from './renamed.js';

/** Length of the commit ids in risks. */
const SHORT = 7;
/** The SDK's target for exports. */
export const EXPORTS = 'bare:/exports/';

export interface ReviewFile {
  change: FileChange;
  /** The unquoted path. */
  path: string;
  patch: Patch;
  risks: Risk[];
  /** The abbreviated id of the commit, if only an intermediate commit has the file. Such a file cannot be left out. */
  commit: string | undefined;
  /** Identifies the change: equal changes have equal keys. */
  key: string;
  /** Its place among the listed files, of which a renamed one is one. */
  listed: number | undefined;
}

/** The names of a change's places in risks, by its displayed path. */
function places(path: string, commit?: string): string[] {
  const within = commit === undefined ? '' : ` of the commit ${commit}`;
  return ['', 'the name ', 'the target of the link '].map((what) => `${what}${path}${within}`);
}

/** The risks of each place. */
function risksOf({ push }: PushQuestion): Map<string, number[]> {
  const found = new Map<string, number[]>();
  push?.review.flags.forEach(({ path, commit, place, name }, at) => {
    // A misleading name belongs to a file, or to the branch, which is not a file here.
    const named = path === undefined ? (place ?? name) : places(path, text(commit) || undefined)[0];
    if (typeof named === 'string') found.set(named, [...(found.get(named) ?? []), at]);
  });
  return found;
}

/** The files, then the contents of intermediate commits only: they leave as well. */
function filesOf(asked: PushQuestion | undefined): ReviewFile[] {
  if (!asked?.push) return [];
  const about = risksOf(asked);
  const { files, intermediate } = asked.push.review;
  const listed = new Map(asked.listed?.flatMap(({ files: places }, at) => places.map((place) => [place, at] as const)));
  const all: { change: FileChange; commit?: string }[] = [...files.map((change) => ({ change })), ...intermediate];
  return all.map(({ change, commit: id }, at) => {
    const patch = asked.patches?.[at] ?? { path: change.path, head: '', hunks: [] };
    const commit = id?.slice(0, SHORT);
    const key = [change.path, change.old?.id, change.old?.mode, change.new?.id, change.new?.mode, commit].join(' ');
    const mine = places(patch.path, commit).flatMap((place) => about.get(place) ?? []);
    // The worst comes first.
    const risks = mine.sort((a, b) => a - b).flatMap((at) => asked.risks?.[at] ?? []);
    return { change, path: unquote(change.path), patch, risks, commit, key, listed: listed.get(at) };
  });
}

const isHigh = ({ risks }: ReviewFile): boolean => risks.some(({ severity }) => severity === 'high');

const PLAIN: View = { hidesBlanks: false, context: 0, asCells: false };

/** A person's progress in the review of a push. */
export interface Seen {
  opened: Set<string>;
  selected: number;
  isList: boolean;
  out: Map<string, 'all' | Set<number>>;
  message: string | undefined;
}

/** Stores the progress by what leaves, so that it outlives the page. */
export interface Keeper {
  find(what: string): Seen | undefined;
  keep(what: string, seen: Seen): void;
}

/** Identifies what leaves. An export's digest cannot: it is new for every question. */
export function identity(asked: PushQuestion | undefined): string | undefined {
  const push = asked?.push;
  return push?.target.startsWith(EXPORTS) ? `${push.branch} ${push.review.new}` : push?.digest;
}

export class ReviewModel {
  readonly files = computed(() => filesOf(this.asked.value));
  readonly risks = computed(() => leaving(this.asked.value, this.isBundle.value));
  /** The old paths of renamed files, by the keys of the new ones. */
  readonly renamed = computed(() => renamed(this.files.value, this.asked.value?.listed ?? []));
  /** Whether it is a download, not a push. */
  readonly isBundle = computed(() => this.asked.value?.push?.target.startsWith(EXPORTS) === true);
  readonly opened = signal(new Set<string>());
  readonly selected = signal(0);
  /** Whether the narrow layout shows the list instead of the changes. */
  readonly isList = signal(true);
  readonly file = computed(() => this.files.value[this.selected.value]);
  /** What the person leaves out: whole files, and hunks by number. */
  readonly out = signal(new Map<string, 'all' | Set<number>>());
  /** The person's message for the last commit, if they changed it. */
  readonly message = signal<string | undefined>(undefined);
  /** Whether an approval also saves the offered rule. */
  readonly remember = signal(false);
  /** The last commit that is to leave, if it is not the last one of the push. */
  readonly upto = signal<string | undefined>(undefined);
  readonly isRevised = computed(
    () => this.out.value.size > 0 || this.message.value !== undefined || this.upto.value !== undefined,
  );
  /** What is kept about the pushes to the branch. */
  readonly noted: Noted;
  /** Whether a person can comment on it: a bundle goes to no branch, and nobody proposes it. */
  readonly canComment = computed(() => this.asked.value?.listed !== undefined && !this.isBundle.value);
  /** The commit that is looked at by itself. */
  readonly step = signal<number | undefined>(undefined);
  /** The line that is shown next. */
  readonly goTo = signal<{ side: Side; line: number } | undefined>(undefined);
  /** How the changes of files are looked at. */
  readonly view = signal<View>(PLAIN);
  /** Whether only what is new since the last look is shown. */
  readonly isSince = signal(false);
  /** Files that were not on the screen. Another push has the same files if their bytes are the same. */
  readonly unopened = computed(() =>
    this.files.value.filter(({ key, listed }) => {
      const isKnown = this.canComment.value && listed !== undefined && this.noted.isKnown(listed);
      return !isKnown && !this.opened.value.has(key);
    }),
  );
  readonly unopenedHigh = computed(() => this.unopened.value.filter((file) => !this.isWhole.value || isHigh(file)));
  /** Whether the patches and risks of all files are known. Otherwise nobody can review or approve them. */
  readonly isWhole = computed(() => {
    const { push, patches, risks } = this.asked.value ?? {};
    return !push || (patches != null && risks != null);
  });
  readonly isProtected = computed(
    () => !this.isBundle.value && this.asked.value?.push?.review.flags.some(({ flag }) => flag === PROTECTED) === true,
  );

  constructor(
    readonly asked: ReadonlySignal<PushQuestion | undefined>,
    /** The keys of the reviewed files. They outlive this push. */
    readonly marks: Signal<Set<string>>,
    keeper?: Keeper,
    keeping?: Keeping,
  ) {
    this.noted = new Noted(asked, keeping);
    // Another push starts over, but changes that were seen stay seen.
    const what = signal<string | undefined>(undefined);
    effect(() => {
      const now = identity(asked.value);
      if (now === undefined || now === what.peek()) return;
      const seen = keeper?.find(now);
      what.value = now;
      this.out.value = seen?.out ?? new Map();
      this.message.value = seen?.message;
      this.remember.value = false;
      this.upto.value = undefined;
      this.step.value = undefined;
      this.goTo.value = undefined;
      this.view.value = PLAIN;
      this.isSince.value = this.hasNews();
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

  /** The new path of a deleted file. */
  movedTo({ change, path, commit }: ReviewFile): string | undefined {
    if (change.status !== 'D' || commit !== undefined) return undefined;
    const [key] = [...this.renamed.value].find(([, { from }]) => from === path) ?? [];
    return this.files.value.find((file) => file.key === key)?.path;
  }

  select(at: number): void {
    if (!this.files.value[at] || at === this.selected.value) return;
    this.selected.value = at;
    this.view.value = { ...this.view.value, context: 0 };
    this.noted.picked.value = undefined;
    this.goTo.value = undefined;
  }

  /** Selects a file, and shows its changes. */
  open(at: number): void {
    this.select(at);
    this.step.value = undefined;
    this.isList.value = false;
  }

  /** Opens the next unopened file, high risks first. */
  openNext(): void {
    const after = this.unopened.value.find((file) => this.files.value.indexOf(file) > this.selected.value);
    const next = this.unopenedHigh.value[0] ?? after ?? this.unopened.value[0];
    if (next) this.open(this.files.value.indexOf(next));
  }

  /** Whether the view leaves out some of what changes in the selected file. */
  readonly isPartial = computed(() => {
    const { value: now } = this.file;
    const { hidesBlanks, asCells } = this.view.value;
    if (!now || this.isSinceHere.value) return false;
    const hides = (hunk: string): boolean => withoutBlanks(hunk) !== hunk;
    const { hunks } = apart(now.patch.head, now.patch.hunks);
    return (asCells && isNotebook(now.path)) || (hidesBlanks && hunks.some(hides));
  });
  /** Whether only what is new is shown of the selected file, because some of it was seen. */
  readonly isSinceHere = computed(() => {
    const at = this.file.value?.listed;
    const parts = at === undefined ? undefined : this.partsOf(at);
    if (!this.isSince.value || !parts || parts.listed.whole) return false;
    return parts.listed.units.some((unit) => this.noted.isOwn(unit));
  });

  /** All changes of the selected file are visible. */
  see(): void {
    const { value: now } = this.file;
    if (!this.isWhole.value || this.isPartial.value) return;
    if (now && !this.opened.value.has(now.key)) this.opened.value = new Set(this.opened.value).add(now.key);
  }

  /** Whether the person has marked it, or saw all of it in an earlier push. */
  isReviewed({ key, listed }: ReviewFile): boolean {
    return this.canComment.value && listed !== undefined ? this.noted.isSeen(listed) : this.marks.value.has(key);
  }

  /** Whether the person has seen something before, and something is new. */
  hasNews(): boolean {
    const units = this.asked.value?.listed?.flatMap((file) => file.units) ?? [];
    const [own, others] = [units.filter((unit) => this.noted.isOwn(unit)), units.filter((unit) => !this.noted.isOwn(unit))];
    return own.length > 0 && (others.length > 0 || own.some(({ state }) => state === 'changed'));
  }

  /** The listed file, with its hunks, or else all of it. */
  partsOf(at: number): { listed: Listed; texts: readonly string[] } | undefined {
    const listed = this.noted.listed.value[at];
    const file = this.files.value[listed?.files[0] ?? -1];
    if (!listed || !file) return undefined;
    const { head, hunks } = listed.moved ?? file.patch;
    return { listed, texts: listed.whole ? [head + hunks.join('')] : apart(head, hunks).hunks };
  }

  /** Begins a comment. */
  write(place: CommentPlace): void {
    if (!this.canComment.value) return;
    this.step.value = undefined;
    this.noted.writing.value = place;
    this.isList.value = false;
  }

  /** Begins a comment on the picked lines, or on the file. */
  writeHere(): void {
    const path = this.#selected()?.listed.path;
    if (path === undefined) return this.write({ on: 'push' });
    const { picked } = this.noted;
    if (picked.value) return this.pickLines(picked.value.side, picked.value.first, picked.value.last);
    this.write({ on: 'file', path });
  }

  /** Picks lines to comment on; more of them with those that are picked already. */
  pick(side: Side, line: number, isMore: boolean): void {
    const { value: before } = this.noted.picked;
    const [first, last] = isMore && before?.side === side ? [before.first, before.last] : [line, line];
    this.pickLines(side, Math.min(first, line), Math.max(last, line));
  }

  /** Lines that no hunk of the push shows have no place, so the comment is on the file. */
  pickLines(side: Side, first: number, last: number): void {
    const path = this.#selected()?.listed.path;
    if (path !== undefined && !this.moveTo(path, side, first, last)) this.write({ on: 'file', path });
  }

  /** Makes the comment one on these lines of the selected file. Returns whether a hunk shows them. */
  moveTo(path: string, side: Side, first: number, last: number): boolean {
    const parts = this.#selected();
    if (parts?.listed.path !== path) return false;
    const place = linesAt(parts.texts, path, side, first, last);
    if (!place) return false;
    this.noted.picked.value = { side, first, last };
    this.write(place);
    return true;
  }

  #selected(): { listed: Listed; texts: readonly string[] } | undefined {
    const at = this.file.value?.listed;
    return at === undefined ? undefined : this.partsOf(at);
  }

  /** The file that a comment is about, if it is in the push. */
  fileOf({ place, spot }: Placed): number | undefined {
    const path = pathOf(place);
    const listed = this.noted.listed.value;
    const at = spot ? listed[spot.file] : listed.find((one) => one.path === path);
    return at?.files[0];
  }

  goToComment(comment: Placed): void {
    const at = this.fileOf(comment);
    if (at === undefined) return;
    this.stepTo(undefined);
    this.open(at);
    if (comment.spot) this.showSpot(comment.spot);
  }

  showSpot({ side, first }: Spot): void {
    this.isSince.value = false;
    this.goTo.value = { side, line: first };
  }

  /** Shows one commit by itself, or the whole push. */
  stepTo(step: number | undefined): void {
    const steps = this.asked.value?.steps ?? [];
    if (step === undefined || steps[step]) this.step.value = step;
    if (step !== undefined) this.isList.value = false;
  }

  /** The last commit that leaves. */
  readonly lastCommit = computed(() => {
    const { commits = [] } = this.asked.value?.push?.review ?? {};
    return commits.find(({ id }) => id === this.upto.value) ?? commits.at(-1);
  });

  /** Only the commits up to this one leave. The whole push again, if they do already. */
  leaveAfter(id: string): void {
    this.upto.value = this.upto.value === id ? undefined : id;
    this.message.value = undefined;
  }

  toggleMark(at = this.selected.value): void {
    const found = this.files.value[at];
    if (!found) return;
    if (this.canComment.value && found.listed !== undefined) {
      const texts = this.partsOf(found.listed)?.texts ?? [];
      return this.noted.look(found.listed, !this.noted.isSeen(found.listed), texts);
    }
    const now = new Set(this.marks.value);
    if (!now.delete(found.key)) now.add(found.key);
    this.marks.value = now;
  }

  /** Whether all of it is left out, or which hunks. */
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
    const [message, upto] = [this.message.value, this.upto.value];
    return { ...(upto !== undefined && { upto }), ...(leaveOut.length > 0 && { leaveOut }), ...(message !== undefined && { message }) };
  }
}
