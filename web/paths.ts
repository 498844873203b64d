// SPDX-License-Identifier: GPL-2.0-or-later
// Where the instructions went: loop nests as trees, one for each thread, and the hottest cyclic paths.

import { bar, Child, fill, h } from './dom';
import { HotPath, NestItem, NestLoop, PathInsn } from './documents';
import { count, several } from './numbers';
import { table } from './table';
import { branch, heading, leftOut, lineLink, missing, threadName, View } from './view';

const isLoop = (i: NestItem): i is NestLoop => typeof i !== 'string';
const OPEN_LEVELS = 2;
const MOST = 300;

function symbol(view: View, name: string): Child {
  const match = /^(.*):(\d+)$/.exec(name);
  const file = match && view.model.fileNamed(match[1]);
  return file && match ? lineLink(view.model, { file, line: Number(match[2]) }) : h('span', { class: 'name', title: name }, name);
}

// Neighbouring plain symbols stand in a line.
function items(view: View, body: NestItem[], level: number, leftOut = 0): Child {
  const list: Child[] = [];
  let plain: Child[] = [];
  const flush = (): void => {
    if (plain.length) list.push(h('li', { class: 'plain' }, plain));
    plain = [];
  };
  for (const item of body.slice(0, MOST)) {
    if (!isLoop(item)) {
      plain.push(plain.length ? ' ' : null, symbol(view, item));
      continue;
    }
    flush();
    list.push(h('li', null, loop(view, item, level)));
  }
  flush();
  const more = Math.max(0, body.length - MOST) + leftOut;
  if (more > 0) list.push(h('li', { class: 'none' }, `${count(more)} more`));
  return h('ul', level === 0 ? { class: 'nest', tabindex: '0' } : { class: 'nest' }, list);
}

function loop(view: View, l: NestLoop, level: number): HTMLElement {
  const [first, last] = l.lines ?? [0, 0];
  const place = l.file && first > 0 ? ` ${view.model.nameOf(l.file)}:${first}${last !== first ? `–${last}` : ''}` : '';
  return branch(level < OPEN_LEVELS, [h('b', null, `${count(l.count)} ×`), place, l.function && ` ${l.function}`, h('small', null, ` ${several(l.length, 'line')} a turn`)],
    () => items(view, l.body, level + 1, l.left_out));
}

// Instructions of the same line, one after the other, stand together.
function pathDetail(view: View, p: HotPath): Child {
  const runs: PathInsn[][] = [];
  for (const b of p.blocks)
    for (const i of b.insns) {
      const last = runs[runs.length - 1]?.[0];
      if (last && last.file === i.file && last.line === i.line) runs[runs.length - 1].push(i);
      else runs.push([i]);
    }
  const text = (i: PathInsn): string => {
    const line = view.model.files.get(i.file)?.lines?.[i.line - 1];
    return line ? line.trim().slice(0, 200) : i.function;
  };
  return h('ol', { class: 'path' }, runs.map((r) => h('li', null, lineLink(view.model, r[0]), ' ', h('code', null, text(r[0])),
    h('details', null, h('summary', null, several(r.length, 'instruction')), h('pre', { tabindex: '0' }, r.map((i) => `${i.ip.toString(16)}  ${i.text}\n`))))));
}

function places(view: View, p: HotPath): Child {
  const names = [...new Set(p.blocks.flatMap((b) => b.insns.map((i) => view.model.placeName(i))))];
  const functions = [...new Set(p.blocks.flatMap((b) => b.insns.map((i) => i.function)))];
  return [h('span', { class: 'name', title: functions.join(', ') }, functions.join(', ')), ' ', h('small', null, names.slice(0, 6).join(' '), names.length > 6 && ' …')];
}

export function paths(view: View, into: HTMLElement): void {
  const { model, range } = view;
  const doc = model.paths;
  const all = (doc?.paths ?? []).filter((p) => p.blocks.some((b) => b.insns.some((i) => model.isIn(i.file, i.line, range))));
  fill(into, heading('Paths and loops'), hottest(view, all), model.nests.length === 0 ? missing(model, 'loops') : model.nests.map(({ thread, nest }) =>
    h('details', { class: 'thread-nest', open: thread === 1 || model.nests.length <= 5, 'data-thread': thread }, h('summary', null, h('h3', null, `Loop nest of ${threadName(thread)}`), ` ${several(nest.length, 'line')} executed; `,
      `${several(nest.loops, 'loop')}, ${count(nest.outermost_loops)} of them outermost`), items(view, nest.nest, 0, nest.left_out))),
  leftOut(doc?.scope.left_out, 'execution of a path', 'executions of paths'));
}

function hottest(view: View, all: HotPath[]): HTMLElement {
  const { model } = view;
  const doc = model.paths;
  return doc ? table<HotPath>([
    { name: 'Path', value: (p) => p.blocks[0]?.addr ?? 0, show: (p) => places(view, p) },
    { name: 'Instructions', number: true, value: (p) => p.instructions },
    { name: 'Share', number: true, value: (p) => p.percent, show: (p) => [bar(p.percent / 100), `${p.percent.toFixed(1)} %`] },
    { name: 'Trips', number: true, value: (p) => p.trips },
    { name: 'Length', number: true, title: 'instructions a trip', value: (p) => p.length },
  ], all, { caption: `Hottest cyclic paths, of ${count(doc.paths_different)}`, detail: (p) => pathDetail(view, p), most: 10, empty: 'None.',
    attributes: (p) => ({ 'data-line': p.blocks[0]?.insns[0] ? model.placeName(p.blocks[0].insns[0]) : null }) }) : missing(model, 'paths');
}
