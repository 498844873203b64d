// SPDX-License-Identifier: GPL-2.0-or-later
// Parallel regions of OpenMP: how evenly their threads shared the work, loops and sections that the runtime gave out, what
// excluded others.

import { Child, h } from './dom';
import { Exclusion, Region, Work } from './documents';
import { count, several } from './numbers';
import { table } from './table';
import { lineLink, View } from './view';

const sum = <T>(all: T[], value: (of: T) => number): number => all.reduce((n, x) => n + value(x), 0);

// The most of one thread over the mean; 1: even.
function imbalance(threads: { insns: number }[]): number {
  const all = sum(threads, (t) => t.insns);
  return all ? (Math.max(...threads.map((t) => t.insns)) * threads.length) / all : 1;
}

function threadsOf(r: Region): HTMLElement {
  const most = Math.max(1, ...r.threads.map((t) => t.insns));
  return h('ul', { class: 'facts-list' }, r.threads.map((t) => h('li', null, `thread ${t.thread}: ${several(t.insns, 'instruction')} (${Math.round((100 * t.insns) / most)} % of the most), others had ${count(t.waited)} more to do`,
    t.tasks > 0 && `, ${several(t.tasks, 'task')}`)));
}

function work(view: View, w: Work): HTMLElement {
  const what = w.kind === 'loop' ? `loop, ${w.schedule}${w.chunk ? `, ${w.chunk}` : ''}${w.ordered ? ', ordered' : ''}` : w.kind;
  return h('li', null, `${what} at `, lineLink(view.model, w), `: ${several(w.runs, 'run')}, imbalance ${imbalance(w.threads).toFixed(2)}`,
    h('ul', null, w.threads.map((t) => h('li', null, `thread ${t.thread}: ${several(t.parts, w.kind === 'loop' ? 'chunk' : 'section')}`,
      w.kind === 'loop' && `, ${several(t.iterations, 'iteration')}`, `, ${several(t.insns, 'instruction')}`))));
}

function exclusion(view: View, r: Region, e: Exclusion): HTMLElement {
  const all = sum(r.threads, (t) => t.insns) || 1;
  return h('li', null, `${e.kind} at `, lineLink(view.model, e), `: ${count(e.sections)} ×, ${several(e.insns, 'instruction')}, ${((100 * e.insns) / all).toFixed(1)} % of the region`);
}

export function regions(view: View): Child {
  const { model, range, route } = view;
  const all = model.sync!.regions ?? [];
  if (all.length === 0 || route.item) return null;
  return table<Region>([
    { name: 'Region', value: (r) => model.placeName(r), show: (r) => [lineLink(model, r), ' ', h('small', { class: 'name' }, r.function ?? '')] },
    { name: 'Kind', value: (r) => r.kind },
    { name: 'Runs', number: true, value: (r) => r.runs },
    { name: 'Threads', number: true, value: (r) => r.threads.length },
    { name: 'Barriers', number: true, value: (r) => r.barriers },
    { name: 'Imbalance', number: true, title: 'the most of one thread over the mean; 1.00 is even', value: (r) => imbalance(r.threads), show: (r) => imbalance(r.threads).toFixed(2) },
    { name: 'Others had more to do', number: true, title: 'instructions, before barriers and the end, of all threads', value: (r) => sum(r.threads, (t) => t.waited) },
  ], all.filter((r) => model.isIn(r.file, r.line, range)), {
    caption: 'Parallel regions', empty: range ? 'None in this part of the run.' : 'None.', attributes: (r) => ({ 'data-line': model.placeName(r) }),
    detail: (r) => [threadsOf(r), r.works.length > 0 && h('ul', { class: 'facts-list' }, r.works.map((w) => work(view, w))),
      r.exclusions.length > 0 && h('ul', { class: 'facts-list' }, r.exclusions.map((e) => exclusion(view, r, e)))],
  });
}
