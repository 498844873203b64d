// SPDX-License-Identifier: GPL-2.0-or-later
// Loops: which are parallel, what that would bring, and what stands in the way of others.

import { bar, Child, fill, h } from './dom';
import { Carried, CarriedRow, Loop, LoopTeam } from './documents';
import { distance } from './line_detail';
import { count, share } from './numbers';
import { table } from './table';
import { beyond, chip, heading, leftOut, lineLink, loopItem, missing, objectLink, View } from './view';

// What keeps a loop from being parallel.
const BLOCKING = new Set(['recurrence', 'anti', 'traversal', 'exit', 'output']);

const FLAGS: Record<string, string> = {
  irregular: 'the loop has several entries', weak: 'some code is not known exactly', small: 'an iteration is too short to be worth a task',
  loaded_index: 'the index comes from memory', starts_threads: 'it starts threads', keeps_locks: 'it keeps locks from one iteration to the next',
};

function row(view: View, loop: Loop, r: CarriedRow): Child {
  const end = (e: CarriedRow['source']): Child =>
    [lineLink(view.model, { file: e.file ?? loop.place.file, line: e.line }), e.call && ' (in a call)'];
  return h('li', null, chip(r.kind.toUpperCase(), `kind ${r.kind.toUpperCase()}`), ' ', end(r.source), ' → ', end(r.target),
    ` ${count(r.count)} ×, `, distance(r));
}

function carried(view: View, loop: Loop, c: Carried): HTMLElement {
  return h('tr', { 'data-object': c.object }, h('td', null, chip(c.class, BLOCKING.has(c.class) ? 'blocks' : 'fits')),
    h('td', null, objectLink(view.model, c.object), c.note && h('small', null, ` ${c.note}`)),
    h('td', null, c.clause && h('code', null, c.clause), c.edit && h('div', null, c.edit)),
    h('td', null, h('ul', { class: 'facts-list' }, c.rows.slice(0, 6).map((r) => row(view, loop, r)),
      c.rows.length > 6 && h('li', { class: 'none' }, `${c.rows.length - 6} more`))));
}

const verdict = (l: Loop): string => l.team?.shared ? 'already parallel' : l.verdict;

function team(view: View, l: Loop, t: LoopTeam): Child {
  const where = ['in ', t.regions > 1 ? `${count(t.regions)} parallel regions, the first at ` : 'the parallel region at ', lineLink(view.model, t.region), `, team of ${count(t.threads)}`];
  if (t.threads === 0) return h('p', null, 'Shared out, and executed outside of a team.');
  if (!t.shared) return h('p', null, `${share(l.in_regions ?? 0, l.instructions)} of it `, where, '.');
  return [
    h('p', null, 'Shared out ', where, t.schedule && `, ${t.schedule}`, `; imbalance ${t.imbalance.toFixed(2)}`, t.as_asked && ', as its parts were given out in this run', '.'),
    h('ul', { class: 'facts-list' }, t.shares.map((s) => h('li', null,
      `thread ${s.thread}: ${count(s.chunks)} chunks, ${count(s.iterations)} iterations, ${count(s.instructions)} instructions`))),
    t.exclusions.length > 0 && h('ul', { class: 'facts-list' }, t.exclusions.map((e) => h('li', null, `${e.kind} at `, lineLink(view.model, e.place), `: ${share(e.instructions, t.instructions)} of its instructions`))),
    t.under_one > 0 && h('p', null, `${(t.instructions / t.under_one).toFixed(1)} times as fast at most, whatever the number of threads: ${share(t.under_one, t.instructions)} under one lock.`),
  ];
}

function detail(view: View, l: Loop): Child {
  const flags = Object.keys(FLAGS).filter((f) => l[f] === true);
  const sorted = l.carried.slice().sort((a, b) => Number(BLOCKING.has(b.class)) - Number(BLOCKING.has(a.class)));
  return [
    l.team && team(view, l, l.team),
    l.pragma && h('p', null, 'Put in front of line ', lineLink(view.model, l.place, String(l.place.line)), ': ', h('code', { class: 'pragma' }, l.pragma)),
    h('p', null, `Lines ${l.place.line} to ${l.last_line}; entered ${count(l.instances)} times, ${count(l.iterations)} iterations, `,
      `${count(l.instructions)} instructions; longest iteration ${count(l.longest_iteration)}. `,
      l.interval > 0 && `The next iteration can begin ${count(l.interval)} instructions after one. `,
      l.exit_lines.length > 0 && ['It is left in the middle at line ', l.exit_lines.map((x, i) => [i ? ', ' : '', lineLink(view.model, { file: l.place.file, line: x }, String(x))]), '.']),
    flags.length > 0 && h('p', null, flags.map((f) => FLAGS[f]).join('; '), '.'),
    sorted.length > 0 ? h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'What the loop carries' }, h('table', { class: 'inner' }, h('caption', null, 'What one iteration leaves for the next'),
      h('thead', null, h('tr', null, ['Class', 'Object', 'What to do', 'From – to'].map((t) => h('th', { scope: 'col' }, t)))),
      h('tbody', null, sorted.map((c) => carried(view, l, c))))) : h('p', { class: 'none' }, 'It carries nothing.'),
  ];
}

export function advice(view: View, into: HTMLElement): void {
  const { model, range, route } = view;
  const doc = model.advice;
  if (!doc) return fill(into, heading('Advice'), missing(model, 'advise'));
  const loops = doc.loops.filter((l) => model.isIn(l.place.file, l.place.line, range))
    .sort((a, b) => b.run_speed_up - a.run_speed_up || b.instructions - a.instructions);
  fill(into, heading('Advice', `Loops, those first that would shorten the run most on ${doc.threads} threads. A verdict speaks of this run: other inputs may do what this one did not.`),
    table<Loop>([
      { name: 'Loop', value: (l) => loopItem(model, l), show: (l) => lineLink(model, l.place) },
      { name: 'Function', value: (l) => l.place.function ?? '', show: (l) => h('span', { class: 'name', title: l.place.function ?? '' }, l.place.function ?? '') },
      { name: 'Verdict', value: verdict, show: (l) => chip(verdict(l), `verdict ${l.verdict}`) },
      { name: 'Share of the run', number: true, value: (l) => l.instructions, show: (l) => [bar(l.instructions / doc.instructions), share(l.instructions, doc.instructions)] },
      { name: 'Iterations', number: true, value: (l) => l.iterations },
      { name: 'Depth', number: true, value: (l) => l.depth },
      { name: 'Loop faster', number: true, title: `on ${doc.threads} threads`, value: (l) => l.speed_up, show: (l) => `× ${l.speed_up.toFixed(2)}` },
      { name: 'Run faster', number: true, title: `on ${doc.threads} threads`, value: (l) => l.run_speed_up, show: (l) => `× ${l.run_speed_up.toFixed(2)}` },
      { name: 'In the way', value: (l) => blocking(l), show: (l) => h('span', { class: 'name', title: blocking(l) }, blocking(l) || '–') },
    ], loops, {
      caption: range ? 'Loops in this part of the run' : 'Loops', detail: (l) => detail(view, l), opened: (l) => loopItem(model, l) === route.item,
      attributes: (l) => ({ 'data-loop': loopItem(model, l), 'data-line': model.placeName(l.place) }), empty: 'No loop was executed.',
    }), leftOut(doc.scope.left_out, 'loop', 'loops'), beyond(doc.loops_left_out, 'loop', 'loops', 'advise'));
}

const blocking = (l: Loop): string => [...new Set(l.carried.filter((c) => BLOCKING.has(c.class)).map((c) => `${c.object} (${c.class})`))].join(', ');
