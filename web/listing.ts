// SPDX-License-Identifier: GPL-2.0-or-later
// A source file, of which only the lines in sight are in the page: files of any length scroll alike. Lines are options of
// a list box: arrows, page keys, Home and End move; n and p go through the dependences of the line, Enter to the other end.

import { Arrow, ARROWS_WIDTH, drawArrows } from './arrows';
import { bar, Child, fill, h, shown, svg } from './dom';

export const ROW = 19;
const MARGIN = 12;

export interface LineMark { text: string; kind: string; title: string }
export interface ListingOptions {
  name: string;                                         // of the file, for links
  lines: string[];
  arrows: Arrow[];
  heat: (line: number) => { share: number; text: string };
  marks: (line: number) => LineMark[];
  line: number;                                         // chosen; 0: none
  choose: (line: number) => void;
  over: (a: Arrow | null) => void;                      // pointed at, or chosen
  tooMany: (n: number) => void;
}

export class Listing {
  readonly element: HTMLElement;
  private readonly rows = h('div', { class: 'lines' });
  private readonly curves: SVGElement;
  private arrows: Arrow[];
  private chosen: Arrow | null = null;
  private first = 0;
  private last = -1;

  constructor(private readonly options: ListingOptions) {
    this.arrows = options.arrows;
    const height = options.lines.length * ROW;
    this.curves = svg('svg', { class: 'arrows', width: ARROWS_WIDTH, height, 'aria-hidden': 'true' });
    const inner = h('div', { class: 'listing-inner' }, this.rows, this.curves);
    inner.style.height = `${height}px`;
    this.element = h('div', {
      class: 'listing', tabindex: '0', role: 'listbox', 'aria-label': `Source of ${options.name}`,
      keydown: (e: KeyboardEvent) => this.key(e), scroll: () => this.draw(false),
    }, inner);
    this.element.style.setProperty('--arrows', `${ARROWS_WIDTH}px`);
    new ResizeObserver(() => this.draw(true)).observe(this.element);
    window.addEventListener('beforeprint', () => this.element.isConnected && this.draw(true, true));
    window.addEventListener('afterprint', () => this.element.isConnected && this.draw(true));
  }

  setArrows(arrows: Arrow[]): void {
    this.arrows = arrows;
    this.chosen = null;
    this.draw(true);
  }
  get line(): number {
    return this.options.line;
  }
  // Scrolls there, if it is out of sight.
  show(line: number): void {
    const y = (line - 1) * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (y < scrollTop + ROW || y > scrollTop + clientHeight - 2 * ROW)
      this.element.scrollTop = Math.max(0, y - clientHeight / 3);
    this.draw(true);
  }
  private choose(line: number): void {
    const to = Math.max(1, Math.min(this.options.lines.length, line));
    if (to !== this.options.line) this.chosen = null;
    this.options.line = to;
    this.options.choose(to);
    this.show(to);
  }

  private draw(always: boolean, all = false): void {
    const { scrollTop, clientHeight } = this.element;
    const { lines } = this.options;
    const first = all ? 1 : Math.max(1, Math.floor(scrollTop / ROW) + 1 - MARGIN);
    const last = all ? lines.length : Math.min(lines.length, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
    if (!always && Math.abs(first - this.first) < MARGIN / 2 && Math.abs(last - this.last) < MARGIN / 2) return;
    this.first = first;
    this.last = last;
    const rows: Child[] = [];
    for (let line = first; line <= last; line++) rows.push(this.row(line));
    fill(this.rows, rows);
    const active = this.options.line >= first && this.options.line <= last ? `line-${this.options.line}` : null;
    if (active) this.element.setAttribute('aria-activedescendant', active);
    else this.element.removeAttribute('aria-activedescendant');
    const hidden = drawArrows(this.curves, this.arrows, {
      first: all ? 1 : Math.floor(scrollTop / ROW) + 1, last: all ? lines.length : Math.ceil((scrollTop + clientHeight) / ROW), row: ROW, chosen: this.chosen, line: this.options.line,
      over: (a) => this.options.over(a ?? this.chosen), click: (a) => this.pick(a, a.from === this.options.line ? a.from : a.to),
    });
    this.options.tooMany(hidden);
  }
  private row(line: number): HTMLElement {
    const { heat, marks, name, lines } = this.options;
    const warm = heat(line);
    const end = this.chosen && (this.chosen.from === line || this.chosen.to === line);
    const row = h('div', {
      class: `line${end ? ' end' : ''}`, role: 'option', id: `line-${line}`, 'data-line': `${name}:${line}`,
      'aria-selected': line === this.options.line ? 'true' : 'false', click: () => this.choose(line),
    },
    h('span', { class: 'heat' }, warm.share > 0 && bar(warm.share), warm.text),
    h('span', { class: 'marks' }, marks(line).map((m) => h('span', { class: `mark ${m.kind}`, title: m.title }, m.text))),
    h('span', { class: 'number' }, String(line)),
    h('code', null, shown(lines[line - 1]).slice(0, 2000) || ' '));
    row.style.top = `${(line - 1) * ROW}px`;
    return row;
  }

  private pick(a: Arrow, line: number): void {
    this.options.line = line;
    this.options.choose(line);
    this.chosen = a;
    this.options.over(a);
    this.show(line);
  }
  private step(by: number): void {
    const here = this.arrows.filter((a) => a.from === this.options.line || a.to === this.options.line);
    if (here.length === 0) return;
    const at = this.chosen ? here.indexOf(this.chosen) : by > 0 ? -1 : 0;
    this.pick(here[(at + by + here.length) % here.length], this.options.line);
  }
  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 2);
    const { line } = this.options;
    const other = this.chosen && (this.chosen.from === line ? this.chosen.to : this.chosen.from);
    const actions: Record<string, () => void> = {
      ArrowDown: () => this.choose(line + 1), ArrowUp: () => this.choose(line - 1),
      PageDown: () => this.choose(line + page), PageUp: () => this.choose(line - page),
      Home: () => this.choose(1), End: () => this.choose(this.options.lines.length),
      n: () => this.step(1), p: () => this.step(-1),
      Enter: () => this.chosen && other && this.pick(this.chosen, other),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }
}
