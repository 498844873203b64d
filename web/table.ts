// SPDX-License-Identifier: GPL-2.0-or-later
// Tables that sort by their columns and show long ones piece by piece.

import { Attributes, Child, fill, h } from './dom';
import { count } from './numbers';

export interface Column<T> {
  name: string;
  title?: string;                    // what it means
  number?: boolean;                  // at the right, greatest first
  value: (row: T) => string | number;  // to sort by
  show?: (row: T) => Child;          // not given: the value
}

export interface TableOptions<T> {
  caption: string;
  attributes?: (row: T) => Attributes;
  detail?: (row: T) => Child;        // opened below the row
  opened?: (row: T) => boolean;
  most?: number;                     // rows shown at first
  empty?: string;
}

const MOST = 100;

export function table<T>(columns: Column<T>[], rows: T[], options: TableOptions<T>): HTMLElement {
  let sorted = rows.slice();
  let by = -1;
  let down = true;
  let most = options.most ?? MOST;
  const box = h('div', { class: 'table-box' });

  const sort = (i: number): void => {
    down = by === i ? !down : !!columns[i].number;
    by = i;
    const of = columns[i].value;
    sorted = rows.slice().sort((a, b) => {
      const x = of(a);
      const y = of(b);
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
      return down ? -order : order;
    });
    draw();
    box.querySelectorAll('thead button')[i].dispatchEvent(new Event('sorted'));
    (box.querySelectorAll('thead button')[i] as HTMLElement).focus();
  };
  const head = (c: Column<T>, i: number): HTMLElement =>
    h('th', {
      scope: 'col', class: c.number ? 'number' : null,
      'aria-sort': by === i ? (down ? 'descending' : 'ascending') : null,
    }, h('button', { class: 'sort', title: c.title, click: () => sort(i) }, c.name, by === i && (down ? ' ▾' : ' ▴')));
  const cell = (c: Column<T>, row: T): HTMLElement => {
    const value = c.show ? c.show(row) : c.value(row);
    return h('td', { class: c.number ? 'number' : null }, typeof value === 'number' ? count(value) : value);
  };
  const draw = (): void => {
    if (rows.length === 0) return fill(box, h('p', { class: 'none' }, options.empty ?? 'None.'));
    const body = h('tbody', null);
    for (const row of sorted.slice(0, most)) {
      const tr = h('tr', options.attributes?.(row) ?? null, columns.map((c) => cell(c, row)));
      body.appendChild(tr);
      if (options.detail) addDetail(tr, row);
    }
    const hidden = sorted.length - most;
    fill(box, h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': options.caption },
      h('table', null, h('caption', null, options.caption), h('thead', null, h('tr', null, columns.map(head))), body)),
    hidden > 0 && h('button', { class: 'more', click: () => { most += 10 * MOST; draw(); } },
      `${count(hidden)} more`));
  };
  const addDetail = (tr: HTMLElement, row: T): void => {
    let open: HTMLElement | null = null;
    const first = tr.firstElementChild as HTMLElement;
    const button = h('button', { class: 'opens', 'aria-expanded': 'false', 'aria-label': 'details', click: () => toggle() });
    const toggle = (): void => {
      button.setAttribute('aria-expanded', open ? 'false' : 'true');
      tr.classList.toggle('opened', !open);
      if (open) {
        open.remove();
        open = null;
      } else {
        open = h('tr', { class: 'detail' }, h('td', { colspan: columns.length }, options.detail!(row)));
        tr.after(open);
      }
    };
    first.prepend(button);
    tr.addEventListener('click', (e) => {
      if (!(e.target as Element).closest('a, button')) toggle();
    });
    if (options.opened?.(row)) toggle();
  };
  draw();
  return box;
}
