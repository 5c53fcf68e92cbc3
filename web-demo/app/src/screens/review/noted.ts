// What is kept about the pushes to a branch, as the review of one of them shows it: comments, and what was seen.

import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Comment, CommentChange, CommentPlace, Draft, Listed, Look, PushQuestion, Side, Spot, Unit } from 'gitgate';

/** A comment, and where it stands in this push. */
export type Placed = Comment & { spot: Spot | null };

/** Keeps what a person says and has seen. */
export interface Keeping {
  /** Returns whether it is kept. If not, the person has seen why. */
  comment(draft: Draft): Promise<boolean>;
  change(id: string, change: CommentChange): void;
  look(looks: Look[]): void;
}

/** Lines that a person has picked to comment on. */
export interface Picked {
  side: Side;
  first: number;
  last: number;
}

type Looked = ReadonlyMap<number, readonly boolean[]>;

const lookedIn = ({ listed = [] }: PushQuestion): Looked =>
  new Map(listed.map(({ units }, at) => [at, units.map(({ state }) => state === 'same')]));

/** The path that a comment is about. */
export const pathOf = (place: CommentPlace): string | undefined => (place.on === 'push' ? undefined : place.path);

export const isOpen = ({ settled }: Comment): boolean => settled === null;

export class Noted {
  readonly comments = signal<Placed[]>([]);
  readonly open = computed(() => this.comments.value.filter(isOpen));
  /** Whether each part of each listed file was seen. */
  readonly looked = signal<Looked>(new Map());
  readonly picked = signal<Picked | undefined>(undefined);
  /** The place that a person is writing a comment about. */
  readonly writing = signal<CommentPlace | undefined>(undefined);
  readonly listed = computed<readonly Listed[]>(() => this.#asked.value?.listed ?? []);
  /** By question, so that another one in between loses nothing. */
  readonly #known = new WeakMap<PushQuestion, Looked>();
  readonly #asked: ReadonlySignal<PushQuestion | undefined>;
  readonly #keeping: Keeping | undefined;

  constructor(asked: ReadonlySignal<PushQuestion | undefined>, keeping: Keeping | undefined) {
    this.#asked = asked;
    this.#keeping = keeping;
    effect(() => {
      const { value: question } = asked;
      this.comments.value = question?.comments ?? [];
      this.looked.value = question ? (this.#known.get(question) ?? lookedIn(question)) : new Map();
      this.picked.value = undefined;
      this.writing.value = undefined;
    });
  }

  /** The comments as they are now, which somebody else may have changed. */
  set(comments: Comment[]): void {
    const before = new Map(this.#asked.peek()?.comments?.map(({ id, spot }) => [id, spot]));
    this.comments.value = comments.map((comment) => ({
      ...comment,
      spot: before.has(comment.id) ? (before.get(comment.id) ?? null) : this.#spotOf(comment),
    }));
  }

  /** A comment on this very push stands where it was made. */
  #spotOf({ commit, place }: Comment): Spot | null {
    if (place.on !== 'lines' || commit !== this.#asked.peek()?.push?.review.new) return null;
    const file = this.listed.peek().findIndex(({ path }) => path === place.path);
    return file < 0 ? null : { file, side: place.side, first: place.first, last: place.last };
  }

  /**
   * The comments on a listed file: on its lines, and on the file. Lines that only an earlier commit has were mended
   * in this file.
   */
  on(at: number): Placed[] {
    const path = this.listed.value[at]?.path;
    const isHere = ({ place, spot }: Placed): boolean => spot?.file === at || pathOf(place) === path;
    return path === undefined ? [] : this.comments.value.filter(isHere);
  }

  /** Whether every part of a listed file was seen. */
  isSeen(at: number): boolean {
    const parts = this.looked.value.get(at) ?? [];
    return parts.length > 0 && parts.every(Boolean);
  }

  /** Whether the person of this review has seen a part in an earlier push: the look of another is not theirs. */
  isOwn({ state, by }: Unit): boolean {
    return state !== 'new' && by === this.#asked.value?.who;
  }

  /** Whether the person has seen all of a listed file before, and it is the same. */
  isKnown(at: number): boolean {
    const { units = [] } = this.listed.value[at] ?? {};
    return units.length > 0 && units.every((unit) => unit.state === 'same' && this.isOwn(unit));
  }

  /** Marks all parts of a listed file, whose texts these are, as seen or not. */
  look(at: number, seen: boolean, texts: readonly string[]): void {
    const [listed, question] = [this.listed.peek()[at], this.#asked.peek()];
    if (!listed || !question) return;
    const { path, units } = listed;
    const before = this.looked.peek().get(at) ?? [];
    const looks = units.flatMap(({ key, before: instead }, part): Look[] =>
      before[part] === seen ? [] : [{ path, key, text: texts[part] ?? '', instead, seen }],
    );
    const now = new Map(this.looked.peek()).set(at, units.map(() => seen));
    this.#known.set(question, now);
    this.looked.value = now;
    if (looks.length > 0) this.#keeping?.look(looks);
  }

  async say(place: CommentPlace, weight: 'must' | 'note', text: string): Promise<boolean> {
    const commit = this.#asked.peek()?.push?.review.new;
    if (commit === undefined || !this.#keeping) return false;
    return this.#keeping.comment({ commit, place, weight, text });
  }

  change(id: string, change: CommentChange): void {
    this.#keeping?.change(id, change);
  }
}
