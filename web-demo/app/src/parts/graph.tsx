// The graph beside a log: the parents of each commit.

import type { Row } from '../state/json.js';
import { list, text } from '../state/json.js';

interface Knot {
  lane: number;
  /** Lines from the lanes of this row to the lanes of the next. */
  lines: [from: number, to: number][];
  width: number;
}

/** One node for each commit, newest first. */
export function knots(commits: Row[]): Knot[] {
  let lanes: (string | undefined)[] = [];
  return commits.map((commit) => {
    const id = text(commit.commitId);
    let lane = lanes.indexOf(id);
    if (lane < 0) lane = lanes.indexOf(undefined) < 0 ? lanes.length : lanes.indexOf(undefined);
    const next = lanes.map((one) => (one === id ? undefined : one));
    const lines: [number, number][] = [];
    next.forEach((one, at) => one !== undefined && lines.push([at, at]));
    list(commit.parents).forEach((parent, index) => {
      if (typeof parent !== 'string') return;
      const known = next.indexOf(parent);
      const free = index === 0 ? lane : next.findIndex((one, at) => one === undefined && at !== lane);
      const to = known >= 0 ? known : free < 0 ? Math.max(next.length, lane + 1) : free;
      next[to] = parent;
      lines.push([lane, to]);
    });
    lanes = next;
    return { lane, lines, width: Math.max(lane + 1, next.length) };
  });
}

const STEP = 12;
const x = (lane: number): number => lane * STEP + 8;

export function Graph({ knot, height, isFirst }: { knot: Knot; height: number; isFirst: boolean }) {
  const middle = height / 2;
  const width = Math.min(8, knot.width) * STEP + 8;
  return (
    <svg class="graph" width={width} height={height} aria-hidden="true">
      {!isFirst && <path d={`M${x(knot.lane)} 0V${middle}`} />}
      {knot.lines.map(([from, to]) =>
        from === to && from !== knot.lane ? (
          <path key={`${from} ${to}`} d={`M${x(from)} 0V${height}`} />
        ) : (
          <path
            key={`${from} ${to}`}
            d={`M${x(from)} ${middle}C${x(from)} ${height} ${x(to)} ${middle} ${x(to)} ${height}`}
          />
        ),
      )}
      <circle cx={x(knot.lane)} cy={middle} r="3.5" />
    </svg>
  );
}
