// SPDX-License-Identifier: GPL-2.0-or-later
// Synchronisation: what became of each object, and who got what from whom, operation by operation.

import { Child, fill, h } from './dom';
import { ChartRow, StrandLane, SyncObject } from './documents';
import { objectName } from './model';
import { count, several, sums, unpack, upperBound } from './numbers';
import { regions } from './regions';
import { link } from './route';
import { barriers, criticalSections } from './sections';
import { table } from './table';
import { heading, leftOut, lineLink, missing, objectLink, threadName, threads, View } from './view';

function matrix(o: SyncObject): Child {
  if (o.pairs.length === 0) return null;
  const most = Math.max(...o.pairs.map((p) => p.count));
  const cell = (from: number, to: number): HTMLElement => {
    const n = o.pairs.find((p) => p.from === from && p.to === to)?.count ?? 0;
    const td = h('td', { class: 'number' }, n ? count(n) : '');
    if (n) td.style.setProperty('--warm', String(Math.round((40 * n) / most)));
    return td;
  };
  return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Hand-overs' }, h('table', { class: 'inner matrix' }, h('caption', null, 'Hand-overs: from the thread of the row to that of the column'),
    h('thead', null, h('tr', null, h('td', null), o.threads.map((t) => h('th', { scope: 'col' }, String(t))))),
    h('tbody', null, o.threads.map((from) => h('tr', null, h('th', { scope: 'row' }, String(from)), o.threads.map((to) => cell(from, to)))))));
}

function objects(view: View): HTMLElement {
  const { model, route } = view;
  return table<SyncObject>([
    { name: 'Object', value: (o) => o.name, show: (o) => objectLink(model, o.name) },
    { name: 'Kind', value: (o) => o.kind },
    { name: 'Acquisitions', number: true, value: (o) => o.acquisitions },
    { name: 'Contended', number: true, title: 'it was not to be had at once', value: (o) => o.contended },
    { name: 'Hand-overs', number: true, value: (o) => o.hand_overs },
    { name: 'Held', number: true, title: 'instructions of those who held it, meanwhile', value: (o) => o.insns_held },
    { name: 'Longest', number: true, title: 'instructions of one who held it', value: (o) => o.longest?.insns ?? 0 },
    { name: 'Threads', value: (o) => threads(o.threads) },
  ], model.sync!.objects, {
    caption: 'Objects', detail: (o) => [o.longest && h('p', null, `Held longest by ${threadName(o.longest.thread)}, ${several(o.longest.insns, 'instruction')}, from `, lineLink(model, o.longest.at)), matrix(o)],
    opened: (o) => !!route.item && o.name === route.item, attributes: (o) => ({ 'data-object': objectName(o.name) }), empty: 'None.',
  });
}

// A strand of OpenMP begins or ends.
const STRANDS = ['omp-implicit-task', 'omp-task'];
const LIVES: Record<string, string> = { enter: 'begins', leave: 'ends', whole: 'begins and ends' };

function said(view: View, r: ChartRow): Child {
  const from = r.from_strands ?? [...new Set(r.got.flatMap((g) => g.from))];
  if (r.what === 'start') return ['starts', from.length > 0 && `, from ${threads(from)}`];
  if (r.what === 'end') return 'ends';
  const given = from.length > 0 && h('span', { class: 'from' }, ` ◂ from ${threads(from)}`);
  if (r.op?.startsWith('omp-')) return [STRANDS.includes(r.op) ? LIVES[r.what] : `${r.op}${r.what === 'enter' ? ' …' : ''}${r.value ? ` ${r.value}` : ''}`, given];
  return [`${r.op}${r.what === 'enter' ? ' …' : ''} `, r.object && objectLink(view.model, r.object), r.other !== undefined && `thread ${r.other}`, r.failed && ' failed', r.waits && ' waits',
    r.held_by && r.held_by.length > 0 && ` for ${threads(r.held_by)}`, given];
}

// Rows that say nothing to readers: the runtime's threads, and the parts of a task's creation.
const isDetail = (r: ChartRow): boolean => r.strand === undefined || r.op === 'omp-task-data' || r.op === 'omp-task-depend';

interface Lane { number: number; name: string }

// Where tasks are created, and regions begun.
function laneList(view: View, lanes: StrandLane[]): HTMLElement {
  return h('ul', { class: 'facts-list strands' }, lanes.map((l) => h('li', null, `${l.number}: `, l.at ? lineLink(view.model, l.at, l.name) : l.name)));
}

// Where on the timeline events of the chart stand.
function positions(view: View): (event: number) => number {
  const { rows } = view.model.timeline;
  const events = sums(unpack(rows.event, rows.count));
  const at = sums(unpack(rows.at, rows.count));
  return (event) => at[Math.max(0, upperBound(events, event) - 1)] ?? 0;
}

function chart(view: View): HTMLElement {
  const { model, range, route } = view;
  const at = positions(view);
  const strands = model.sync!.strands;
  const laneOf = (r: ChartRow): number => (strands ? r.strand! : r.thread);
  const lanes: Lane[] = strands ?? model.sync!.threads.map((t) => ({ number: t, name: threadName(t) }));
  const rows = model.sync!.chart.filter((r) => !(strands && isDetail(r)) && (!range || (at(r.event) >= range[0] && at(r.event) < range[1])) && (!route.item || r.object === route.item));
  const span = Math.max(1000, Math.round(model.timeline.instructions / 200));
  return table<ChartRow>([
    { name: 'Event', number: true, value: (r) => r.event, show: (r) => {
      const place = at(r.event);
      return h('a', { href: link('timeline', '', { range: `${Math.max(0, place - span)}-${place + span}` }), title: 'on the timeline' }, count(r.event));
    } },
    ...lanes.map((lane) => ({ name: strands ? `${lane.number}: ${lane.name}` : lane.name, value: (r: ChartRow) => (laneOf(r) === lane.number ? 0 : 1), show: (r: ChartRow) => (laneOf(r) === lane.number ? h('span', { class: 'operation' }, said(view, r)) : h('span', { class: 'lifeline' })) })),
    { name: 'Where', value: (r) => (r.at ? model.placeName(r.at) : ''), show: (r) => r.at && lineLink(model, r.at) },
  ], rows, { caption: 'In true order', attributes: (r) => ({ 'data-event': r.event, class: 'chart-row', 'data-line': r.at ? model.placeName(r.at) : null }), empty: range ? 'Nothing in this part of the run, or behind the end of this chart.' : 'Nothing.' });
}

export function sync(view: View, into: HTMLElement): void {
  const { model, route } = view;
  const doc = model.sync;
  if (!doc) return fill(into, heading('Synchronisation'), missing(model, 'sync'));
  const last = doc.chart.reduce((most, r) => Math.max(most, r.number ?? 0), 0);
  fill(into, heading('Synchronisation', `${several(doc.events, 'event')} of synchronisation, ${several(doc.threads.length, 'thread')}.`,
    route.item && h('a', { href: link('sync') }, 'All objects')), criticalSections(view), barriers(view), regions(view), objects(view),
  doc.strands && laneList(view, doc.strands), h('div', { class: 'chart' }, chart(view)), last < doc.events && h('p', { class: 'note' }, `The chart ends with number ${count(last)} of ${count(doc.events)}; the timeline has all, and cdrgrind sync shows any part.`),
  leftOut(doc.scope.left_out, 'object', 'objects'));
}
