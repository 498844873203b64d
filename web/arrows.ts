// SPDX-License-Identifier: GPL-2.0-or-later
// Dependences as arrows beside the listing: from the line of the earlier access to that of the later one, each in a lane
// of its own where it would meet others. Drawn for the lines in sight alone.

import { fill, svg } from './dom';
import { Dependence } from './documents';

export interface Arrow { kind: string; from: number; to: number; count: number; rows: Dependence[] }

export const LANES = 13;
const LANE = 9;
export const ARROWS_WIDTH = LANES * LANE + 22;
const MOST = 400;

// Rows between the same lines of the file are one arrow.
export function arrowsOf(rows: Dependence[], file: string): Arrow[] {
  const all = new Map<string, Arrow>();
  for (const r of rows) {
    if (r.source.file !== file || r.target.file !== file || !r.source.line || !r.target.line) continue;
    const key = `${r.kind}:${r.source.line}:${r.target.line}`;
    const arrow = all.get(key) ?? { kind: r.kind, from: r.source.line, to: r.target.line, count: 0, rows: [] };
    arrow.count += r.count;
    arrow.rows.push(r);
    all.set(key, arrow);
  }
  return [...all.values()].sort((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from) || a.from - b.from);
}

const top = (a: Arrow): number => Math.min(a.from, a.to);
const bottom = (a: Arrow): number => Math.max(a.from, a.to);

// The shortest get the lanes next to the text. Those that find none share the last.
export function lanesOf(arrows: Arrow[]): Map<Arrow, number> {
  const lanes = new Map<Arrow, number>();
  const taken: [number, number][][] = Array.from({ length: LANES }, () => []);
  for (const a of arrows) {
    let lane = taken.findIndex((spans) => spans.every(([from, to]) => bottom(a) < from || top(a) > to));
    if (lane < 0) lane = LANES - 1;
    taken[lane].push([top(a), bottom(a)]);
    lanes.set(a, lane);
  }
  return lanes;
}

export interface ArrowView {
  first: number; last: number;   // lines in sight
  row: number;                   // height of a line
  chosen: Arrow | null; line: number;
  over: (a: Arrow | null) => void; click: (a: Arrow) => void;
}

function path(a: Arrow, lane: number, y: (line: number) => number): string {
  const right = ARROWS_WIDTH - 1;
  const x = ARROWS_WIDTH - 16 - lane * LANE;
  const from = y(a.from) - 3;
  const to = y(a.to) + 3;
  const r = Math.min(7, Math.abs(to - from) / 2);
  const down = to >= from ? r : -r;
  return `M${right} ${from}H${x + r}Q${x} ${from} ${x} ${from + down}V${to - down}Q${x} ${to} ${x + r} ${to}H${right - 4}`;
}

// Returns how many arrows in sight were not drawn: those of the least counts.
export function drawArrows(into: SVGElement, arrows: Arrow[], view: ArrowView): number {
  const margin = 4;
  const seen = arrows.filter((a) => (a.from >= view.first - margin && a.from <= view.last + margin) ||
    (a.to >= view.first - margin && a.to <= view.last + margin) || a === view.chosen);
  const drawn = seen.length <= MOST ? seen : seen.slice().sort((a, b) => b.count - a.count).slice(0, MOST);
  const kept = arrows.filter((a) => drawn.includes(a));
  const lanes = lanesOf(kept);
  const y = (line: number): number => (line - 0.5) * view.row;
  const right = ARROWS_WIDTH - 1;
  fill(into, kept.map((a) => {
    const near = a === view.chosen ? ' chosen' : a.from === view.line || a.to === view.line ? ' near' : '';
    const to = y(a.to) + 3;
    return svg('g', {
      class: `arrow ${a.kind}${near}`, mouseenter: () => view.over(a), mouseleave: () => view.over(null),
      click: () => view.click(a),
    }, svg('path', { class: 'hit', d: path(a, lanes.get(a)!, y) }), svg('path', { class: 'curve', d: path(a, lanes.get(a)!, y) }),
    svg('path', { class: 'tip', d: `M${right} ${to}l-6 -3v6z` }));
  }));
  return seen.length - drawn.length;
}
