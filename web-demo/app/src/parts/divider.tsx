// The border between two panes. A person moves it with the pointer or the arrow keys.

import { signal } from '@preact/signals';

import { local } from '../state/kept.js';

const KEY = 'gitgate.width.';
/** In pixels. */
const LEAST = 180;
const STEP = 24;

const widths = signal<ReadonlyMap<string, number>>(new Map());

function widthOf(of: string): number | undefined {
  const known = widths.value.get(of) ?? Number(local.getItem(KEY + of) ?? Number.NaN);
  return Number.isFinite(known) ? known : undefined;
}

function setWidth(of: string, width: number | undefined): void {
  const all = new Map(widths.value);
  if (width === undefined) {
    all.delete(of);
    local.removeItem(KEY + of);
  } else {
    all.set(of, width);
    local.setItem(KEY + of, String(width));
  }
  widths.value = all;
}

interface DividerProps {
  /** Identifies the panes, which keep their width on every screen. */
  of: string;
  label: string;
}

export function Divider({ of, label }: DividerProps) {
  const width = widthOf(of);
  const panes = (element: HTMLElement): { side: number; most: number } => {
    const all = element.parentElement?.clientWidth ?? 0;
    return { side: element.previousElementSibling?.clientWidth ?? 0, most: Math.max(LEAST, all * 0.7) };
  };
  const put = (element: HTMLElement, wanted: number): void => {
    setWidth(of, Math.round(Math.min(panes(element).most, Math.max(LEAST, wanted))));
  };
  return (
    <div
      ref={(element) => {
        const parent = element?.parentElement;
        if (width === undefined) parent?.style.removeProperty('--side');
        else parent?.style.setProperty('--side', `${width}px`);
      }}
      class="divider"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width ?? LEAST}
      aria-valuemin={LEAST}
      aria-valuemax={9999}
      tabIndex={0}
      title="Drag, or use the arrow keys. Double-click to reset."
      onDblClick={() => setWidth(of, undefined)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        put(event.currentTarget, panes(event.currentTarget).side + step);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const { currentTarget: one } = event;
        if (!one.hasPointerCapture(event.pointerId)) return;
        put(one, event.clientX - (one.parentElement?.getBoundingClientRect().left ?? 0));
      }}
    />
  );
}
