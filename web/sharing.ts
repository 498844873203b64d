// SPDX-License-Identifier: GPL-2.0-or-later
// Data that threads share: variables, lines of memory byte by byte, and one object with everything that touches it.

import { bar, Child, fill, h } from './dom';
import { LinePart, Passed, SharedLine, SharedVariable } from './documents';
import { dependenceText } from './line_detail';
import { ObjectFacts, objectName } from './model';
import { count, several } from './numbers';
import { link } from './route';
import { table } from './table';
import { chip, heading, leftOut, lineLink, loopLink, missing, objectLink, raceLink, threads, View } from './view';

const HUES = 6;
const hue = (part: LinePart): string => (part.writers.length > 1 ? 'many' : part.writers.length === 1 ? `t${part.writers[0] % HUES}` : 'read');

function bytesMap(line: SharedLine, size: number): HTMLElement {
  const parts: HTMLElement[] = [];
  let at = 0;
  const add = (begin: number, end: number, kind: string, title: string, text: string): void => {
    const part = h('span', { class: `part ${kind}`, title }, text);
    part.style.flexGrow = String(end - begin);
    parts.push(part);
  };
  for (const p of line.parts) {
    if (p.begin > at) add(at, p.begin, 'unused', `bytes ${at} to ${p.begin - 1}: not touched`, '');
    const who = [p.writers.length ? `w ${threads(p.writers)}` : '', p.readers.length ? `r ${threads(p.readers)}` : ''].filter((x) => x).join('; ');
    add(p.begin, p.end, hue(p), `bytes ${p.begin} to ${p.end - 1}: ${p.name ?? '?'}; ${who}`, `${p.name ?? '?'} ${who}`);
    at = p.end;
  }
  if (at < size) add(at, size, 'unused', `bytes ${at} to ${size - 1}: not touched`, '');
  return h('div', { class: 'bytes' }, parts);
}

function linesTable(view: View, lines: SharedLine[], caption: string): HTMLElement {
  const { model } = view;
  const size = model.sharing?.summary.line_size ?? 64;
  const may = lines.some((l) => l.may);
  return table<SharedLine>([
    { name: 'Line', value: (l) => l.address, show: (l) => h('code', null, `0x${l.address.toString(16)}`) },
    { name: 'Misses', number: true, value: (l) => l.misses },
    { name: 'For nothing', number: true, title: 'misses because of bytes that the thread does not use', value: (l) => l.false_misses },
    ...(may ? [{ name: 'May be false', number: true, title: 'accesses to other bytes of the line that nothing orders', value: (l: SharedLine) => l.may?.false ?? 0 }] : []),
    { name: 'Threads', value: (l) => threads(l.threads.map((t) => t.thread).sort((a, b) => a - b)) },
    { name: `Its ${size} bytes: who writes and reads what`, value: (l) => l.parts.map((p) => p.name ?? '').join(), show: (l) => bytesMap(l, size) },
  ], lines, {
    caption, most: 25, detail: (l) => [l.fix && h('p', null, l.fix), h('ul', { class: 'facts-list' }, l.parts.map((p) => h('li', null, `bytes ${p.begin}–${p.end - 1}: `, objectLink(model, p.name),
      ` written by ${threads(p.writers) || 'none'}, read by ${threads(p.readers) || 'none'}`))),
    h('ul', { class: 'facts-list' }, l.threads.map((t) => h('li', null, `thread ${t.thread}: ${count(t.loads)} loads, ${count(t.stores)} stores, ${count(t.misses)} misses, ${count(t.false_misses)} of them for nothing`)))],
    attributes: (l) => ({ 'data-object': objectName(l.parts[0]?.name ?? ''), class: l.false_misses > 0 ? 'bad' : null }),
    empty: 'No line of memory is shared.',
  });
}

function variablesTable(view: View, variables: SharedVariable[]): HTMLElement {
  const sum = (v: SharedVariable, k: 'loads' | 'stores'): number => v.threads.reduce((s, t) => s + t[k], 0);
  return table<SharedVariable>([
    { name: 'Variable', value: (v) => v.variable, show: (v) => [objectLink(view.model, v.variable), h('small', null, ` ${v.kind}`)] },
    { name: 'Threads', value: (v) => threads(v.threads.map((t) => t.thread)) },
    { name: 'Loads', number: true, value: (v) => sum(v, 'loads') },
    { name: 'Stores', number: true, value: (v) => sum(v, 'stores') },
    { name: 'Hand-overs', number: true, title: 'times that it went from one thread to another', value: (v) => v.hand_overs },
    { name: 'Stored again', number: true, title: 'stores by the thread that stored last', value: (v) => v.repeated_stores },
    { name: 'Suits', title: 'which kind of cache protocol', value: (v) => v.protocol },
  ], variables, {
    caption: 'Shared variables', attributes: (v) => ({ 'data-object': objectName(v.variable) }), empty: 'None.',
    detail: (v) => [h('ul', { class: 'facts-list' }, v.threads.map((t) => h('li', null, `thread ${t.thread}: ${count(t.loads)} loads, ${count(t.stores)} stores`))),
      h('p', null, 'Handed over: ', v.pairs.slice().sort((a, b) => b.count - a.count).slice(0, 20).map((p, i) => `${i ? ', ' : ''}${p.from} → ${p.to} ${count(p.count)} ×`))],
  });
}

function passedTable(view: View, passed: Passed[]): HTMLElement {
  const { model } = view;
  const most = Math.max(1, ...passed.map((p) => p.bytes));
  return table<Passed>([
    { name: 'Written at', value: (p) => model.placeName(p.from), show: (p) => lineLink(model, p.from) },
    { name: 'in', value: (p) => p.from.function ?? '' },
    { name: 'Read at', value: (p) => model.placeName(p.to), show: (p) => lineLink(model, p.to) },
    { name: 'in', value: (p) => p.to.function ?? '' },
    { name: 'Bytes', number: true, value: (p) => p.bytes, show: (p) => [bar(p.bytes / most), count(p.bytes)] },
  ], passed, { caption: 'Bytes that one thread wrote and another read', attributes: (p) => ({ 'data-line': model.placeName(p.from) }), empty: 'None.' });
}

function objectView(view: View, o: ObjectFacts): Child {
  const { model } = view;
  return [
    heading(o.name, h('a', { href: link('sharing') }, 'All shared data')),
    o.variables.length > 0 && variablesTable(view, o.variables),
    o.races.length > 0 && [h('h3', null, 'Races'), h('ul', { class: 'facts-list' }, o.races.map((r) => h('li', null, raceLink(r), ' ', chip(r.labels.status, `status ${r.labels.status}`), ' ',
      lineLink(model, r.first), ' – ', lineLink(model, r.second), ` ${count(r.instances)} ×`)))],
    o.carried.length > 0 && [h('h3', null, 'Loops that carry it'), h('ul', { class: 'facts-list' }, o.carried.map((c) => h('li', null, loopLink(model, c.loop), ` ${c.carried.class}`, c.carried.clause && [' ', h('code', null, c.carried.clause)])))],
    o.dependences.length > 0 && [h('h3', null, `Dependences (${count(o.dependences.length)} rows)`), h('ul', { class: 'facts-list' }, o.dependences.slice().sort((a, b) => b.count - a.count).slice(0, 100).map((r) => h('li', null, dependenceText(model, r))))],
    o.lines.length > 0 && linesTable(view, o.lines, 'Lines of memory that it lies in'),
    o.sync.length > 0 && [h('h3', null, 'Synchronisation'), h('ul', { class: 'facts-list' }, o.sync.map((s) => h('li', null, h('a', { href: link('sync', s.name) }, s.name), ` ${s.kind}: ${several(s.acquisitions, 'acquisition')}, ${count(s.contended)} contended, ${several(s.hand_overs, 'hand-over')}, threads ${threads(s.threads)}`)))],
  ];
}

export function sharing(view: View, into: HTMLElement): void {
  const { model, route, range } = view;
  const doc = model.sharing;
  const object = route.item ? model.object(route.item) : undefined;
  if (object) return fill(into, objectView(view, object));
  if (!doc) return fill(into, heading('Sharing'), missing(model, 'sharing'));
  const s = doc.summary;
  fill(into, heading('Sharing', `${several(s.lines_shared, 'line')} of ${s.line_size} bytes are shared, ${count(s.lines_only_read)} others are only read by several threads; ${several(s.misses, 'miss', 'misses')}, ${count(s.false_misses)} of them for nothing.`,
    route.item && `Nothing is known of ${route.item}.`),
  s.false_misses === 0 && variablesTable(view, doc.variables),
  linesTable(view, doc.lines.slice().sort((a, b) => b.false_misses - a.false_misses || b.misses - a.misses), 'Lines of memory'), s.false_misses > 0 && variablesTable(view, doc.variables),
  passedTable(view, doc.passed.filter((p) => model.isIn(p.from.file, p.from.line, range) && model.isIn(p.to.file, p.to.line, range))),
  leftOut(doc.scope.left_out, 'variable', 'variables'));
}
