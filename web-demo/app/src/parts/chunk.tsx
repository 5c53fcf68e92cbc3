// Rows of any height. They are in the page only while they are near the viewport.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels beyond the viewport. */
const MARGIN = 1200;

interface ChunkProps {
  /** Its height in pixels until it is measured. */
  height: number;
  isFirst: boolean;
  children: () => ComponentChildren;
}

/** The parent must be the scroll container. */
export function Chunk({ height, isFirst, children }: ChunkProps) {
  const place = useRef<HTMLDivElement>(null);
  const known = useRef(height);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const look = ([entry]: IntersectionObserverEntry[]): void => {
      if (!entry) return;
      const { isIntersecting, boundingClientRect } = entry;
      // Keep the element with the focus, or the focus would be lost.
      if (!isIntersecting && current.contains(document.activeElement)) return;
      if (!isIntersecting) known.current = boundingClientRect.height;
      setNear(isIntersecting);
    };
    const observer = new IntersectionObserver(look, { root: current.parentElement, rootMargin: `${MARGIN}px 0px` });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} role="presentation" style={isNear ? {} : { height: `${known.current}px` }}>
      {isNear && children()}
    </div>
  );
}
