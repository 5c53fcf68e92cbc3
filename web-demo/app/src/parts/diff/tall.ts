// A diff of any length. Only the rows in the viewport are in the page. Row heights are known, so scrolling
// waits for no measurement.

import { adopt } from '../sheet.js';
import { box, setBox } from './box.js';
import type { Choice } from './box.js';
import type { Escaped } from './escaped.js';
import type { Found } from './find.js';
import { marked } from './line.js';
import { leftOf } from './left.js';
import { HEIGHT, HUNK_HEIGHT, ROWS, TALL } from './looks.js';
import { lookOf, marksOf } from './marks.js';
import { GAP } from './patch.js';
import { numberLook } from './picks.js';
import type { Picks } from './picks.js';
import type { Row } from './patch.js';
import { highest } from './sides.js';
import type { Side, Which } from './sides.js';

/** Pixels beyond the viewport: a browser may scroll that far before it asks for more. */
const MARGIN = 400;

export interface Column {
  side: Side;
  label: string;
  numbers: Which[];
  hasBoxes: boolean;
}

/** The state that all columns share. */
export interface Given {
  choice: Choice | undefined;
  picks: Picks | undefined;
  escaped: Escaped;
  found: Found;
}

/** The container for one part of each row. */
interface Lane {
  place: HTMLElement;
  make: (at: number) => HTMLElement;
  /** Draws a row again. */
  look?: (made: Element, at: number) => void;
}

const element = (name: string, parent?: HTMLElement): HTMLElement => {
  const made = document.createElement('div');
  made.className = name;
  parent?.append(made);
  return made;
};

export class Tall {
  readonly #parent: HTMLElement;
  readonly #choice: Choice | undefined;
  readonly #picks: Picks | undefined;
  readonly #escaped: Escaped;
  readonly #found: Found;
  /** The top of each row, and the bottom of the last one. */
  readonly #tops: Float64Array;
  readonly #lanes: Lane[];
  readonly #columns: { place: HTMLElement; side: Side }[] = [];
  readonly #observer = new ResizeObserver(() => this.#draw());
  /** The rows in the page. */
  #from = 0;
  #to = 0;

  /** Fills the scroll container `parent`. All columns have the same number of rows, with hunks at the same rows. */
  constructor(
    parent: HTMLElement,
    root: ShadowRoot,
    columns: [Column, ...Column[]],
    { choice, picks, escaped, found }: Given,
  ) {
    this.#parent = parent;
    this.#choice = choice;
    this.#picks = picks;
    this.#escaped = escaped;
    this.#found = found;
    const { rows } = columns[0].side;
    this.#tops = new Float64Array(rows.length + 1);
    rows.forEach(({ kind }, at) => {
      this.#tops[at + 1] = this.#top(at) + (kind === 'hunk' ? HUNK_HEIGHT : HEIGHT);
    });
    adopt(root, ROWS);
    adopt(root, TALL);
    const all = element('gg-tall', parent);
    all.style.height = `${this.#top(rows.length)}px`;
    this.#lanes = columns.flatMap((column) => this.#lanesOf(column, all));
    parent.addEventListener('scroll', () => this.#draw());
    this.#observer.observe(parent);
    this.#draw();
  }

  #top(at: number): number {
    return this.#tops[at] ?? 0;
  }

  /** The row at this height. */
  #at(height: number): number {
    let [low, high] = [0, this.#tops.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#top(middle) <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #lanesOf({ side, label, numbers, hasBoxes }: Column, all: HTMLElement): Lane[] {
    const { rows } = side;
    const row = (at: number): Row => rows[at] ?? GAP;
    const lanes = numbers.map((which): Lane => {
      const lane = element('gg-lane', all);
      lane.setAttribute('aria-hidden', 'true');
      const place = element('gg-rows', lane);
      lane.style.width = `calc(${Math.max(3, String(highest(rows, which)).length)}ch + 12px)`;
      const look = (made: Element, at: number): void => {
        made.className = `gg-no-${row(at).kind} ${numberLook(this.#picks, which, row(at)[which])}`;
      };
      const make = (at: number): HTMLElement => {
        const made = element('');
        const line = row(at)[which];
        look(made, at);
        made.textContent = String(line ?? '');
        if (line !== undefined) made.addEventListener('click', ({ shiftKey }) => this.#picks?.pick(which, line, shiftKey));
        return made;
      };
      return { place, make, look };
    });
    const column = element('gg-column', all);
    column.tabIndex = 0;
    column.setAttribute('role', 'group');
    column.setAttribute('aria-label', label);
    const place = element('gg-rows', column);
    this.#columns.push({ place, side });
    const make = (at: number): HTMLElement => {
      const one = row(at);
      const made = element(`gg-line gg-${lookOf(one, this.#choice)}`);
      if (one.kind === 'hunk' && hasBoxes && this.#choice) {
        made.append(box(one.hunk, this.#choice, this.#choice.isOut(one.hunk)));
      }
      made.append(...this.#written(one, side));
      return made;
    };
    return [...lanes, { place, make }];
  }

  #written(row: Row, { twins }: Side): Node[] {
    return marked(row.text, marksOf(row, twins, this.#escaped, this.#found));
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.#parent;
    const last = this.#tops.length - 2;
    const from = Math.min(last, this.#at(scrollTop - MARGIN));
    const to = Math.min(last, this.#at(scrollTop + clientHeight + MARGIN)) + 1;
    const isElsewhere = from >= this.#to || to <= this.#from;
    const [before, after] = isElsewhere ? [from, from] : [this.#from, this.#to];
    const range = (begin: number, end: number): number[] =>
      Array.from({ length: Math.max(0, end - begin) }, (_, at) => begin + at);
    for (const { place, make } of this.#lanes) {
      if (isElsewhere) place.replaceChildren();
      for (const _ of range(before, from)) place.firstElementChild?.remove();
      for (const _ of range(to, after)) place.lastElementChild?.remove();
      place.prepend(...range(from, before).map(make));
      place.append(...range(after, to).map(make));
      place.style.paddingTop = `${this.#top(from)}px`;
    }
    [this.#from, this.#to] = [from, to];
  }

  /** Redraws the viewport after a changed choice. */
  redraw(): void {
    for (const { place, look } of this.#lanes) {
      if (look) [...place.children].forEach((made, index) => look(made, this.#from + index));
    }
    this.#eachDrawn((shown, row) => {
      shown.className = `gg-line gg-${lookOf(row, this.#choice)}`;
      const label = shown.querySelector<HTMLElement>('.gg-box');
      if (label) setBox(label, row.hunk, this.#choice?.isOut(row.hunk) ?? false);
    });
  }

  /** Redraws the viewport after a changed search. A checkbox with the focus keeps it. */
  rewrite(): void {
    this.#eachDrawn((shown, row, side) => {
      for (const node of [...shown.childNodes]) {
        if (!(node instanceof HTMLElement && node.className === 'gg-box')) node.remove();
      }
      shown.append(...this.#written(row, side));
    });
  }

  #eachDrawn(act: (shown: Element, row: Row, side: Side) => void): void {
    for (const { place, side } of this.#columns) {
      [...place.children].forEach((shown, index) => {
        const row = side.rows[this.#from + index];
        if (row) act(shown, row, side);
      });
    }
  }

  /** Scrolls the row to the top. */
  goTo(at: number): void {
    this.#parent.scrollTop = this.#top(at);
    this.#draw();
  }

  /** Scrolls the mark in the row to the middle, if it is out of the viewport. */
  show(row: Row): void {
    const at = this.#columns.reduce((found, { side }) => (found < 0 ? side.rows.indexOf(row) : found), -1);
    const { scrollTop, clientHeight } = this.#parent;
    if (this.#top(at) < scrollTop || this.#top(at + 1) > scrollTop + clientHeight) {
      this.goTo(at);
      this.#parent.scrollTop = this.#top(at) - clientHeight / 2;
      this.#draw();
    }
    const lefts = this.#columns.map(({ place }) => leftOf(place.children[at - this.#from]));
    const other = lefts.find((left) => left !== undefined) ?? 0;
    this.#columns.forEach(({ place }, column) => {
      const { parentElement } = place;
      if (parentElement) parentElement.scrollLeft = lefts[column] ?? other;
    });
  }

  end(): void {
    this.#observer.disconnect();
  }
}
