// SPDX-License-Identifier: GPL-2.0-or-later
// Critical sections by the lines that get locks, and barriers: how often, how long, who waits or would wait for whom.

import { bar, Child, h } from './dom';
import { Barrier, LockSections, SectionLine } from './documents';
import { objectName } from './model';
import { count, several } from './numbers';
import { table } from './table';
import { lineLink, objectLink, threadName, View } from './view';

// A line that gets a lock, of locks that are alike.
interface Row { kind: string; name: string; locks: number; line: SectionLine }

const placeOf = (at: SectionLine['at']): string => `${at.file}:${at.line}:${at.function ?? ''}`;

function add(from: SectionLine, to: SectionLine): void {
  for (const member of ['times', 'shared', 'contended', 'insns_held', 'would_wait', 'insns_would_wait'] as const) to[member] += from[member];
  to.longest = Math.max(to.longest, from.longest);
  for (const b of from.behind) {
    const known = to.behind.find((x) => placeOf(x.at) === placeOf(b.at));
    if (!known) to.behind.push({ ...b });
    else {
      known.times += b.times;
      known.insns += b.insns;
    }
  }
}

// Locks whose names differ in indices alone are one. Those that would be waited for longest first.
function rows(sections: LockSections[]): Row[] {
  const all = new Map<string, Row>();
  for (const lock of sections)
    for (const line of lock.lines) {
      const key = `${lock.kind}\0${objectName(lock.name)}\0${placeOf(line.at)}`;
      const known = all.get(key);
      if (!known) {
        all.set(key, { kind: lock.kind, name: lock.name, locks: 1, line: { ...line, behind: line.behind.map((b) => ({ ...b })) } });
        continue;
      }
      known.name = objectName(known.name);
      known.locks++;
      add(line, known.line);
    }
  return [...all.values()].sort((a, b) => b.line.insns_would_wait - a.line.insns_would_wait || b.line.insns_held - a.line.insns_held || b.line.times - a.line.times);
}

function behind(view: View, line: SectionLine): Child {
  if (line.behind.length === 0) return h('p', null, 'With a processor for each thread nobody would wait here.');
  const most = line.behind.slice().sort((a, b) => b.insns - a.insns);
  return [h('p', null, 'With a processor for each thread threads would wait here while the lock is held that was got at'),
    h('ul', { class: 'facts-list behind' }, most.map((b) => h('li', null, lineLink(view.model, b.at), `: ${count(b.times)} ×, ${several(b.insns, 'instruction')}`)))];
}

export function criticalSections(view: View): Child {
  const { model, range, route } = view;
  const doc = model.sync!;
  if (!doc.sections || doc.sections.length === 0) return null;
  const known = doc.rerun?.ended === true;
  const length = doc.rerun?.insns ?? 0;
  const all = rows(doc.sections.filter((l) => !route.item || objectName(l.name) === objectName(route.item))).filter((r) => model.isIn(r.line.at.file, r.line.at.line, range));
  if (all.length === 0 && !range) return null;
  return [table<Row>([
    { name: 'Line that gets the lock', value: (r) => model.placeName(r.line.at), show: (r) => [lineLink(model, r.line.at), ' ', h('small', { class: 'name' }, r.line.at.function ?? '')] },
    { name: 'Lock', value: (r) => r.name, show: (r) => [objectLink(model, r.name), h('small', null, r.locks > 1 ? ` ${count(r.locks)} objects` : ` ${r.kind}`)] },
    { name: 'Times', number: true, value: (r) => r.line.times, show: (r) => [count(r.line.times), r.line.shared > 0 && h('small', null, ` ${count(r.line.shared)} to read`)] },
    { name: 'Had to wait', number: true, title: 'in the run, in which one thread runs at a time', value: (r) => r.line.contended },
    { name: 'Held', number: true, title: 'instructions of those who held it, meanwhile', value: (r) => r.line.insns_held },
    { name: 'Longest', number: true, value: (r) => r.line.longest },
    ...(known ? [
      { name: 'Share', number: true, title: 'of the run with a processor for each thread: how much of it the lock is held from here', value: (r: Row) => r.line.insns_held / (length || 1),
        show: (r: Row) => [bar(r.line.insns_held / (length || 1), 'hold'), ` ${(100 * r.line.insns_held / (length || 1)).toFixed(1)} %`] },
      { name: 'Would wait', number: true, title: 'with a processor for each thread: how often', value: (r: Row) => r.line.would_wait },
      { name: 'Instructions waited', number: true, title: 'then, by all who would', value: (r: Row) => r.line.insns_would_wait },
    ] : []),
  ], all, {
    caption: 'Critical sections', detail: known ? (r) => behind(view, r.line) : undefined, empty: range ? 'None in this part of the run.' : 'None.',
    attributes: (r) => ({ 'data-object': objectName(r.name), 'data-line': model.placeName(r.line.at) }),
  }), h('p', { class: 'note' }, known ? 'Would wait: with a processor for each thread, and instructions that all take equally long.'
    : 'How long threads would wait is not known: they ask for locks in different orders.')];
}

function barrierDetail(view: View, b: Barrier): Child {
  return [h('p', null, 'Last to come: ', b.last.map((l, i) => [i ? ', ' : '', `${threadName(l.thread)}: ${count(l.rounds)} ×`]), '.'),
    h('ul', { class: 'facts-list' }, b.at.map((at) => h('li', null, lineLink(view.model, at), ` ${at.function ?? ''}: ${several(at.rounds, 'round')}`)))];
}

export function barriers(view: View): Child {
  const { model, range, route } = view;
  const doc = model.sync!;
  if (!doc.barriers || doc.barriers.length === 0) return null;
  const all = doc.barriers.filter((b) => (!route.item || [b.name, b.mutex ?? ''].some((n) => objectName(n) === objectName(route.item)))
    && (b.at.length === 0 || b.at.some((at) => model.isIn(at.file, at.line, range))));
  if (all.length === 0 && !range) return null;
  const known = doc.rerun?.ended === true;
  const often = (b: Barrier): string => [...b.last].sort((x, y) => y.rounds - x.rounds).slice(0, 3).map((l) => `${threadName(l.thread)}: ${count(l.rounds)} ×`).join(', ');
  return table<Barrier>([
    { name: 'Barrier', value: (b) => b.name, show: (b) => [objectLink(model, b.name), b.mutex !== undefined && [' with ', objectLink(model, b.mutex)]] },
    { name: 'Kind', value: (b) => b.kind, show: (b) => (b.mutex === undefined ? b.kind : 'made of a mutex and a condition') },
    { name: 'Rounds', number: true, value: (b) => b.rounds },
    { name: 'Threads', number: true, value: (b) => b.threads_most, show: (b) => (b.threads_least === b.threads_most ? count(b.threads_most) : `${count(b.threads_least)} to ${count(b.threads_most)}`) },
    ...(known ? [{ name: 'Others would wait', number: true, title: 'instructions, with a processor for each thread, in sum', value: (b: Barrier) => b.insns_would_wait }] : []),
    { name: 'Last to come', value: often },
    { name: 'Where', value: (b) => b.at.map((at) => model.placeName(at)).join(', '), show: (b) => b.at.map((at, i) => [i ? ', ' : '', lineLink(model, at)]) },
  ], all, {
    caption: 'Barriers', detail: (b) => barrierDetail(view, b), attributes: (b) => ({ 'data-object': objectName(b.name) }), empty: range ? 'None in this part of the run.' : 'None.',
  });
}
