// A list of rows of equal height. Only those in the viewport are rendered. One row has the focus.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualProps {
  count: number;
  height: number;
  label: string;
  role: 'tree' | 'listbox';
  /** The row that has the focus. */
  at: number;
  move: (at: number) => void;
  /** Keys beyond navigation. Returns whether it handled the key. */
  onKey?: (key: string, at: number) => boolean;
  row: (at: number, props: RowProps) => ComponentChildren;
}

export interface RowProps {
  style: { top: string; height: string };
  tabIndex: number;
  'data-at': number;
}

export function Virtual({ count, height, label, role, at, move, onKey, row }: VirtualProps) {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  const wantsFocus = useRef(false);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const observer = new ResizeObserver(() => setSeen(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const { current } = place;
    if (!current || !wantsFocus.current) return;
    const first = at * height;
    if (first < current.scrollTop) current.scrollTop = first;
    else if (first + height > current.scrollTop + current.clientHeight) {
      current.scrollTop = first + height - current.clientHeight;
    }
    setTop(current.scrollTop);
    current.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus({ preventScroll: true });
  }, [at, top]);
  // If its row disappeared, the focus would go to the top of the page.
  const hadFocus = place.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!hadFocus || document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus({ preventScroll: true });
  });
  const page = Math.max(1, Math.floor(seen / height) - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: { [key: string]: number } = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    };
    const to = steps[event.key];
    wantsFocus.current = true;
    if (to !== undefined) move(Math.min(count - 1, Math.max(0, to)));
    else if (!onKey?.(event.key, at)) return;
    event.preventDefault();
  };
  const first = Math.max(0, Math.floor(top / height) - 5);
  const last = Math.min(count, Math.ceil((top + seen) / height) + 5);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  // The row with the focus stays rendered, or the focus would be lost.
  if (at < count && !shown.includes(at)) shown.push(at);
  return (
    <div
      ref={place}
      class="virtual"
      role={role}
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onBlurCapture={() => (wantsFocus.current = false)}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${count * height}px` }}>
        {shown.map((index) =>
          row(index, {
            style: { top: `${index * height}px`, height: `${height}px` },
            tabIndex: index === at ? 0 : -1,
            'data-at': index,
          }),
        )}
      </div>
    </div>
  );
}
