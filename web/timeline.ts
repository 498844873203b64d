// SPDX-License-Identifier: GPL-2.0-or-later
// The timeline: lanes of threads in true order, along the instructions of all. Drag chooses a part of the run, to which
// the other sections narrow; the wheel and the keys zoom and move.

import { Child, fill, h } from './dom';
import { Model } from './model';
import { count, several, short } from './numbers';
import { current, format, Range, refine } from './route';
import { table } from './table';
import { AXIS, laneHeight, LABELS, Painter } from './timeline_draw';
import { Box, TimelineData } from './timeline_data';
import { chip, heading, lineLink, objectLink, threadName, View } from './view';

const LIST = 100;
const LEAST = 20;   // instructions in sight

let data: TimelineData | null = null;
const dataOf = (model: Model): TimelineData => (data ??= new TimelineData(model.timeline));

function objectText(model: Model, number: number): Child {
  const o = model.timeline.objects[number];
  return o && o.name ? objectLink(model, o.name) : o?.kind ?? '';
}

function boxText(model: Model, b: Box): Child {
  const { operations, places } = model.timeline;
  const what = b.kind === 'wait' ? `waits in ${operations[b.op]}` : b.kind === 'hold' ? 'holds' : b.kind === 'region' ? 'parallel region' : 'task';
  return [`${threadName(model.timeline.lanes[b.lane].thread)} ${what} `, objectText(model, b.object), ` for ${several(b.end - b.begin, 'instruction')}`,
    places[b.place]?.line > 0 && [', ', lineLink(model, places[b.place])]];
}

class TimelineView {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', { 'aria-hidden': 'true' }) as HTMLCanvasElement;
  private readonly box: HTMLElement;
  private readonly status = h('p', { class: 'arrow-text', role: 'status' });
  private readonly note = h('p', { class: 'none' });
  private readonly list = h('div', null);
  private readonly lane: number;
  private from = 0;
  private to: number;
  private range: Range | null;
  private readonly mark: number | null;
  private dragged: { x: number; at: number; pan: boolean; from: number } | null = null;
  private settle = 0;

  constructor(private readonly view: View, private readonly data: TimelineData) {
    const { model, route, range } = view;
    this.range = range;
    this.mark = /^\d+$/.test(route.keys.at ?? '') ? Number(route.keys.at) : null;
    this.to = Math.max(1, model.timeline.instructions);
    const window = /^(\d+)-(\d+)$/.exec(route.item);
    if (window && Number(window[1]) < Number(window[2])) [this.from, this.to] = [Number(window[1]), Number(window[2])];
    else if (range) this.around(range);
    this.lane = laneHeight(model.timeline.lanes.length);
    const button = (name: string, title: string, click: () => void): HTMLElement => h('button', { title, click }, name);
    this.box = h('div', {
      class: 'timeline', tabindex: '0', role: 'application',
      'aria-label': 'Timeline of threads. Left and right move, plus and minus zoom, Enter narrows the page to what is in sight, Escape shows the whole run.',
      keydown: (e: KeyboardEvent) => this.key(e), pointerdown: (e: PointerEvent) => this.down(e), pointermove: (e: PointerEvent) => this.move(e),
      pointerup: (e: PointerEvent) => this.up(e), dblclick: () => this.zoomToRange(),
    }, this.canvas);
    this.box.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.box.style.height = `${AXIS + this.lane * model.timeline.lanes.length + 2}px`;
    this.element = h('div', null, h('div', { class: 'tools', role: 'group', 'aria-label': 'Zoom' },
      button('+', 'Zoom in', () => this.zoom(0.5)), button('−', 'Zoom out', () => this.zoom(2)), button('◂', 'Left', () => this.pan(-0.5)), button('▸', 'Right', () => this.pan(0.5)),
      button('Whole run', 'All instructions', () => this.set(0, model.timeline.instructions)), button('Zoom to choice', 'What is chosen fills the picture', () => this.zoomToRange()),
      button('Narrow to sight', 'Other sections show this part alone', () => this.choose([Math.round(this.from), Math.round(this.to)])), button('Whole run everywhere', 'No part is chosen', () => this.choose(null)),
      legend()), this.box, this.status, this.note, this.list);
    new ResizeObserver(() => this.draw()).observe(this.box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.showStatus(null);
    this.listSoon();
  }

  private get width(): number {
    return this.box.clientWidth;
  }
  private at(x: number): number {
    return this.from + ((x - LABELS) / Math.max(1, this.width - LABELS)) * (this.to - this.from);
  }
  private around([a, b]: Range): void {
    const margin = Math.max(1, (b - a) * 0.1);
    this.from = Math.max(0, a - margin);
    this.to = Math.min(this.view.model.timeline.instructions, b + margin);
  }
  private set(from: number, to: number): void {
    const all = Math.max(LEAST, this.view.model.timeline.instructions);
    const span = Math.min(all, Math.max(LEAST, to - from));
    this.from = Math.max(0, Math.min(all - span, from));
    this.to = this.from + span;
    this.draw();
    this.listSoon();
  }
  private zoom(by: number, at = (this.from + this.to) / 2): void {
    this.set(at - (at - this.from) * by, at + (this.to - at) * by);
  }
  private pan(by: number): void {
    const d = (this.to - this.from) * by;
    this.set(this.from + d, this.to + d);
  }
  private zoomToRange(): void {
    if (!this.range) return this.zoom(0.5);
    this.around(this.range);
    this.set(this.from, this.to);
  }
  private choose(range: Range | null): void {
    refine({ range: range ? range.join('-') : '' }, `${Math.floor(this.from)}-${Math.ceil(this.to)}`);
  }

  // --- pointer and keys

  private down(e: PointerEvent): void {
    if (e.button !== 0 || e.offsetX < LABELS) return;
    this.dragged = { x: e.offsetX, at: this.at(e.offsetX), pan: e.shiftKey, from: this.from };
    this.box.setPointerCapture(e.pointerId);
  }
  private move(e: PointerEvent): void {
    if (!this.dragged) return this.point(e);
    if (this.dragged.pan) {
      const d = ((e.offsetX - this.dragged.x) / Math.max(1, this.width - LABELS)) * (this.to - this.from);
      return this.set(this.dragged.from - d, this.dragged.from - d + this.to - this.from);
    }
    this.range = this.draggedRange(e);
    this.draw();
  }
  private draggedRange(e: PointerEvent): Range {
    const all = this.view.model.timeline.instructions;
    const [a, b] = [this.dragged!.at, this.at(e.offsetX)].sort((x, y) => x - y).map((x) => Math.round(Math.max(0, Math.min(all, x))));
    return [a, Math.max(a + 1, b)];
  }
  private up(e: PointerEvent): void {
    const dragged = this.dragged;
    if (!dragged) return;
    const range = this.draggedRange(e);
    this.dragged = null;
    if (dragged.pan) return;
    if (Math.abs(e.offsetX - dragged.x) > 3) return this.choose(range);
    this.range = this.view.range;
    this.draw();
  }
  private wheel(e: WheelEvent): void {
    if (e.offsetX < LABELS || e.ctrlKey) return;
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return this.pan((e.deltaX || e.deltaY) / 1000);
    this.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.at(e.offsetX));
  }
  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), '+': () => this.zoom(0.5), '=': () => this.zoom(0.5), '-': () => this.zoom(2),
      Home: () => this.set(0, this.view.model.timeline.instructions), Enter: () => this.choose([Math.round(this.from), Math.round(this.to)]),
    };
    if (!actions[e.key]) return;
    e.preventDefault();
    actions[e.key]();
  }
  private point(e: PointerEvent): void {
    const at = this.at(e.offsetX);
    const lane = Math.floor((e.offsetY - AXIS) / this.lane);
    const near = ((this.to - this.from) / Math.max(1, this.width)) * 2;
    const [first, end] = this.data.boxRange(at - near, at + near);
    let best: Box | null = null;
    for (let i = Math.max(first, end - 20000); i < end; i++) {
      const b = this.data.box(i);
      if (b.lane === lane && b.end >= at - near && (!best || b.end - b.begin < best.end - best.begin)) best = b;
    }
    this.showStatus(at, lane, best);
  }
  private showStatus(at: number | null, lane = -1, box: Box | null = null): void {
    const { model } = this.view;
    if (at === null || lane < 0 || lane >= model.timeline.lanes.length)
      return fill(this.status, h('span', { class: 'none' }, 'Drag to choose a part of the run; the wheel zooms, Shift with either moves.'));
    fill(this.status, `Instruction ${count(Math.max(0, Math.round(at)))}: `, box ? boxText(model, box) : threadName(model.timeline.lanes[lane].thread));
  }

  // --- pictures and lists

  private draw(): void {
    const width = this.width;
    const height = this.box.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (width <= LABELS) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const to = this.canvas.getContext('2d')!;
    to.scale(ratio, ratio);
    const drawn = new Painter(to, this.data, {
      from: this.from, to: this.to, width, height, lane: this.lane, range: this.range, mark: this.mark, names: this.view.model.timeline.lanes.map((l) => threadName(l.thread)),
    }).draw();
    Object.assign(this.box.dataset, { from: Math.round(this.from), to: Math.round(this.to), turns: drawn.turns, boxes: drawn.boxes, arrows: drawn.arrows, binned: drawn.binned });
    fill(this.note, [drawn.binned && 'Too much to be drawn one by one: shares of time. ', drawn.arrowsHidden > 0 && `${count(drawn.arrowsHidden)} hand-overs: zoom in to see their arrows.`].filter((x) => x));
  }
  private listSoon(): void {
    clearTimeout(this.settle);
    this.settle = window.setTimeout(() => {
      if (!this.element.isConnected) return;
      this.showList();
      const route = current();
      if (route.section !== 'timeline') return;
      route.item = `${Math.floor(this.from)}-${Math.ceil(this.to)}`;
      history.replaceState(null, '', format(route));
    }, 150);
  }
  private showList(): void {
    const { model } = this.view;
    const [first, end] = this.data.boxRange(this.from, this.to);
    const boxes: Box[] = [];
    for (let i = first; i < end; i++) {
      const b = this.data.box(i);
      if (b.end >= this.from) boxes.push(b);
      if (boxes.length > 4 * LIST) {
        boxes.sort((x, y) => y.end - y.begin - (x.end - x.begin));
        boxes.length = LIST;
      }
    }
    boxes.sort((x, y) => y.end - y.begin - (x.end - x.begin));
    const { lanes, operations, places } = model.timeline;
    fill(this.list, table<Box>([
      { name: 'Thread', value: (b) => lanes[b.lane].thread, show: (b) => threadName(lanes[b.lane].thread) },
      { name: 'What', value: (b) => b.kind, show: (b) => [chip(b.kind, b.kind), ' ', b.kind === 'wait' ? operations[b.op] : ''] },
      { name: 'Object', value: (b) => model.timeline.objects[b.object]?.name ?? '', show: (b) => objectText(model, b.object) },
      { name: 'From', number: true, value: (b) => b.begin },
      { name: 'Instructions', number: true, value: (b) => b.end - b.begin },
      { name: 'Where', value: (b) => model.placeName(places[b.place]), show: (b) => lineLink(model, places[b.place]) },
    ], boxes.slice(0, LIST), { caption: 'Longest waits and critical sections in sight', most: 20, empty: 'No waits or critical sections in sight.', attributes: (b) => ({ 'data-thread': lanes[b.lane].thread }) }));
  }
}

const legend = (): HTMLElement => h('span', { class: 'legend' }, ['run', 'hold', 'wait', 'task'].map((k) =>
  h('span', null, h('i', { class: `swatch ${k}` }), { run: 'runs', hold: 'holds a lock', wait: 'waits', task: 'parallel region or task' }[k]!)));

export function timeline(view: View, into: HTMLElement): void {
  const { model, range } = view;
  if (model.timeline.lanes.length === 0) return fill(into, heading('Timeline', 'Nothing was executed.'));
  const focused = into.querySelector('.timeline') === document.activeElement;
  const picture = new TimelineView(view, dataOf(model));
  const { timeline: t } = model;
  fill(into, heading('Timeline', `${several(t.lanes.length, 'thread')}, ${several(t.turns.count, 'turn')}, ${several(t.boxes.count, 'wait or critical section', 'waits and critical sections')}, ${several(t.hand_overs.count, 'hand-over')}; along ${short(t.instructions)} instructions in true order.`,
    range && `Chosen: ${count(range[0])} to ${count(range[1])}.`), picture.element);
  if (focused) picture.element.querySelector<HTMLElement>('.timeline')?.focus();
}
