// SPDX-License-Identifier: GPL-2.0-or-later
// One picture of the timeline: what lies in the window one by one if it is little, in bins if it is much.

import { short } from './numbers';
import { Range } from './route';
import { TimelineData } from './timeline_data';

export const AXIS = 22;
export const LABELS = 76;
// More than this is not drawn one by one.
const MOST_TURNS = 8000;
const MOST_BOXES = 8000;
const MOST_ARROWS = 1500;

export interface Picture { from: number; to: number; width: number; height: number; lane: number; range: Range | null; mark: number | null; names: string[] }
export interface Drawn { turns: number; boxes: number; arrows: number; binned: boolean; arrowsHidden: number }

export function laneHeight(lanes: number): number {
  return lanes <= 12 ? 34 : lanes <= 40 ? 20 : 12;
}

export class Painter {
  private readonly color: (name: string) => string;

  constructor(private readonly to: CanvasRenderingContext2D, private readonly data: TimelineData, private readonly p: Picture) {
    const style = getComputedStyle(document.documentElement);
    this.color = (name) => style.getPropertyValue(`--${name}`).trim();
  }

  draw(): Drawn {
    const { to, p } = this;
    to.clearRect(0, 0, p.width, p.height);
    this.background();
    this.axis();
    to.save();
    to.beginPath();
    to.rect(LABELS, 0, p.width - LABELS, p.height);
    to.clip();
    const [first, end] = this.data.turnsIn(p.from, p.to);
    const [box, boxEnd] = this.data.boxRange(p.from, p.to);
    const binned = end - first > MOST_TURNS || boxEnd - box > MOST_BOXES;
    if (binned) this.bins();
    else {
      this.turns(first, end);
      this.boxes(box, boxEnd);
    }
    const [arrow, arrowEnd] = this.data.handOverRange(p.from, p.to);
    const few = arrowEnd - arrow <= MOST_ARROWS;
    if (few) this.arrows(arrow, arrowEnd);
    this.range();
    this.mark();
    to.restore();
    return { turns: binned ? 0 : end - first, boxes: binned ? 0 : boxEnd - box, arrows: few ? arrowEnd - arrow : 0, binned, arrowsHidden: few ? 0 : arrowEnd - arrow };
  }

  private x(at: number): number {
    const { from, to, width } = this.p;
    return LABELS + ((at - from) / (to - from)) * (width - LABELS);
  }
  private y(lane: number): number {
    return AXIS + lane * this.p.lane;
  }
  private background(): void {
    const { to, p } = this;
    to.font = '12px system-ui, sans-serif';
    to.textBaseline = 'middle';
    p.names.forEach((name, lane) => {
      to.fillStyle = this.color(lane % 2 ? 'panel' : 'panel-2');
      to.fillRect(LABELS, this.y(lane), p.width - LABELS, p.lane);
      to.fillStyle = this.color('text');
      if (p.lane >= 12) to.fillText(name, 4, this.y(lane) + p.lane / 2, LABELS - 8);
    });
    this.data.document.lanes.forEach((l, lane) => {
      const a = Math.max(LABELS, this.x(l.begin));
      const b = Math.min(p.width, this.x(l.end));
      to.fillStyle = this.color('life');
      if (b > a) to.fillRect(a, this.y(lane) + p.lane * 0.26, b - a, 1);
    });
  }
  private axis(): void {
    const { to, p } = this;
    const about = (p.to - p.from) / Math.max(2, (p.width - LABELS) / 110);
    const ten = 10 ** Math.floor(Math.log10(Math.max(1, about)));
    const step = [1, 2, 5, 10].map((f) => f * ten).find((s) => s >= about)!;
    to.textBaseline = 'middle';
    for (let at = Math.ceil(p.from / step) * step; at <= p.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      to.fillStyle = this.color('grid');
      to.fillRect(x - 0.5, AXIS - 5, 1, p.height - AXIS + 5);
      to.fillStyle = this.color('muted');
      to.fillText(step < 1000 && at >= 1000 ? at.toLocaleString('en-US') : short(at), x + 3, AXIS / 2);
    }
  }
  private rect(lane: number, begin: number, end: number, top: number, height: number, color: string): void {
    const a = Math.max(LABELS - 1, this.x(begin));
    const b = Math.min(this.p.width + 1, this.x(end));
    this.to.fillStyle = color;
    this.to.fillRect(a, this.y(lane) + top * this.p.lane, Math.max(b - a, 0.7), height * this.p.lane);
  }
  private turns(first: number, end: number): void {
    const run = this.color('run');
    for (let i = first; i < end; i++)
      this.rect(this.data.turnLane[i], i ? this.data.turnEnd[i - 1] : 0, this.data.turnEnd[i], 0.1, 0.36, run);
  }
  private boxes(first: number, end: number): void {
    const place: Record<string, [number, number]> = { wait: [0.78, 0.16], hold: [0.54, 0.18], task: [0.02, 0.07], region: [0.02, 0.07] };
    const colors: Record<string, string> = {};
    for (const kind in place) colors[kind] = this.color(kind);
    for (let i = first; i < end; i++) {
      const b = this.data.box(i);
      if (b.end >= this.p.from) this.rect(b.lane, b.begin, b.end, ...place[b.kind], colors[b.kind]);
    }
  }
  private bins(): void {
    const { to, p } = this;
    const level = this.data.level((p.to - p.from) / (p.width - LABELS));
    const first = Math.max(0, Math.floor(p.from / level.width));
    const last = Math.floor(p.to / level.width);
    const bands: ['run' | 'wait' | 'hold', number, number][] = [['run', 0.1, 0.36], ['hold', 0.54, 0.18], ['wait', 0.78, 0.16]];
    level.lanes.forEach((lane, number) => {
      for (const [band, top, height] of bands)
        for (let bin = first; bin <= last && bin < lane[band].length; bin++) {
          if (lane[band][bin] === 0) continue;
          to.globalAlpha = 0.15 + (0.85 * lane[band][bin]) / 255;
          this.rect(number, bin * level.width, (bin + 1) * level.width, top, height, this.color(band));
        }
      to.globalAlpha = 1;
    });
  }
  private arrows(first: number, end: number): void {
    const { to, p } = this;
    to.strokeStyle = this.color('arrow');
    to.fillStyle = this.color('arrow');
    to.lineWidth = 1;
    to.globalAlpha = end - first > 300 ? 0.45 : 0.8;
    for (let i = first; i < end; i++) {
      const a = this.data.handOver(i);
      const [x1, x2] = [this.x(a.left), this.x(a.got)];
      const [y1, y2] = [this.y(a.from) + p.lane * 0.28, this.y(a.to) + p.lane * 0.28];
      const bend = Math.max(6, Math.min(40, (x2 - x1) / 2));
      to.beginPath();
      to.moveTo(x1, y1);
      to.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      to.stroke();
      to.beginPath();
      to.moveTo(x2, y2);
      to.lineTo(x2 - 5, y2 - 3);
      to.lineTo(x2 - 5, y2 + 3);
      to.fill();
    }
    to.globalAlpha = 1;
  }
  // A place that a link led to.
  private mark(): void {
    const { mark, height } = this.p;
    if (mark === null) return;
    this.to.fillStyle = this.color('mark');
    this.to.fillRect(Math.round(this.x(mark)) - 1, 0, 2, height);
  }
  private range(): void {
    const { range } = this.p;
    if (!range) return;
    const [a, b] = [this.x(range[0]), this.x(range[1])];
    this.to.fillStyle = this.color('select');
    this.to.fillRect(a, 0, Math.max(1, b - a), this.p.height);
  }
}
