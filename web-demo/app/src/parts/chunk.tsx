// Rows of any height, which are on the page only while they are near what is in sight.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels beyond what is in sight. */
const MARGIN = 1200;

interface ChunkProps {
  /** Pixels, until it has been measured. */
  height: number;
  isFirst: boolean;
  children: () => ComponentChildren;
}

/** Its parent scrolls. */
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
      // What has the focus stays, or the focus would be lost with it.
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
