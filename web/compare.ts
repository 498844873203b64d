// SPDX-License-Identifier: GPL-2.0-or-later
// Two runs: what diff says of them.

import { Child, fill, h } from './dom';
import { CarriedChange, Dependence, Diff, Executed, RaceChange, Step } from './documents';
import { dependenceText } from './line_detail';
import { count } from './numbers';
import { Column, table } from './table';
import { chip, heading, lineLink, objectLink, threadName, View } from './view';

function executed(view: View, caption: string, rows: Executed[]): Child {
  const times: Column<Executed>[] = [
    { name: 'Old', number: true, value: (e) => e.old }, { name: 'New', number: true, value: (e) => e.new },
  ];
  return rows.length > 0 && table<Executed>([
    { name: 'What', value: (e) => e.kind }, { name: 'Function', value: (e) => e.function }, { name: 'Where', value: (e) => view.model.placeName(e), show: (e) => lineLink(view.model, e) }, ...times,
  ], rows, { caption, most: 30, attributes: (e) => ({ 'data-line': view.model.placeName(e) }) });
}

const step = (view: View, s: Step | null): Child => (s ? [lineLink(view.model, s), ` ${s.function}`] : 'the end');

function races(view: View, title: string, rows: RaceChange[]): Child {
  return rows.length > 0 && [h('h3', null, title), h('ul', { class: 'facts-list' }, rows.map((r) => h('li', null, objectLink(view.model, r.variable), ' ', chip(r.status, `status ${r.status}`), ' ',
    r.first.access, ' ', lineLink(view.model, r.first), ' – ', r.second.access, ' ', lineLink(view.model, r.second), ` ${count(r.instances)} ×`)))];
}
function dependences(view: View, title: string, rows: Dependence[]): Child {
  return rows.length > 0 && [h('h3', null, title), h('ul', { class: 'facts-list' }, rows.slice(0, 100).map((r) => h('li', null, dependenceText(view.model, r))), rows.length > 100 && h('li', { class: 'none' }, `${count(rows.length - 100)} more`))];
}
function carried(view: View, title: string, rows: CarriedChange[]): Child {
  return rows.length > 0 && [h('h3', null, title), h('ul', { class: 'facts-list' }, rows.map((c) => h('li', null, lineLink(view.model, c.loop), ': ', objectLink(view.model, c.object), ` ${c.class}`, c.blocks && ', in the way of threads')))];
}

export function compare(view: View, into: HTMLElement): void {
  const doc: Diff | null = view.model.diff;
  if (!doc) return fill(into, heading('Compared'), h('p', null, 'One trace was given; cdrgrind report OLD NEW compares two.'));
  const { control } = doc;
  fill(into, heading('Compared', `Old: ${doc.old.trace}. New: ${doc.new.trace}; the other sections are about this one.`,
    doc.differs.length ? `What differs: ${doc.differs.join(', ')}.` : 'Nothing differs.', !doc.same_build && 'They were built otherwise.'),
  doc.not_compared.map((n) => h('p', { class: 'missing' }, `Not compared: ${n.part}: ${n.why}`)),
  doc.lost_sources.length > 0 && h('p', { class: 'missing' }, `Sources not found: ${doc.lost_sources.join(', ')}`),
  races(view, 'New races', doc.races.new), races(view, 'Races that are gone', doc.races.gone),
  doc.carried.verdicts.length > 0 && [h('h3', null, 'Loops with another verdict'), h('ul', { class: 'facts-list' }, doc.carried.verdicts.map((v) => h('li', null, lineLink(view.model, v.loop), ' ', chip(v.old, `verdict ${v.old}`), ' → ', chip(v.new, `verdict ${v.new}`), v.worse && ' worse')))],
  carried(view, 'Loops carry, too', doc.carried.came), carried(view, 'Loops do not carry any more', doc.carried.went),
  dependences(view, 'New dependences', doc.dependences.came), dependences(view, 'Dependences that are gone', doc.dependences.went),
  control.divergence.length > 0 && [h('h3', null, 'Where paths part'), h('ul', { class: 'facts-list' }, control.divergence.map((d) => h('li', null, `${threadName(d.thread)}, after ${count(d.equal)} equal steps: old `, step(view, d.old), '; new ', step(view, d.new), d.schedule && ' (threads had taken turns in another order before)')))],
  executed(view, 'Executed in the new run only', control.only_new), executed(view, 'Executed in the old run only', control.only_old), executed(view, 'Executed another number of times', control.counts),
  table<[string, { old: number; new: number }]>([
    { name: 'What', value: ([name]) => name.replace(/_/g, ' ') }, { name: 'Old', number: true, value: ([, s]) => s.old }, { name: 'New', number: true, value: ([, s]) => s.new },
    { name: 'Change', number: true, value: ([, s]) => s.new - s.old, show: ([, s]) => (s.new >= s.old ? '+' : '−') + count(Math.abs(s.new - s.old)) },
  ], Object.entries(doc.sizes), { caption: 'Sizes' }));
}
