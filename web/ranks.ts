// SPDX-License-Identifier: GPL-2.0-or-later
// The ranks of an MPI program: what they call, who sends how much to whom, what is not received, who waits for whom.

import { Child, fill, h, svg } from './dom';
import { Mpi, MpiCell, MpiClass, MpiItem, MpiLate, MpiUnmatched, MpiWaiting, RankItem } from './documents';
import { count, several, short } from './numbers';
import { table } from './table';
import { branch, heading, lineLink, missing, View } from './view';

const OPEN_LEVELS = 2;
const MOST = 300;
// The matrix is drawn with so many rows at most; beyond that one stands for several ranks.
const MOST_ROWS = 64;
const CELL = 10;

const ranksText = (ranks: string): string => `${/^\d+$/.test(ranks) ? 'rank' : 'ranks'} ${ranks}`;
const place = (view: View, file: string, line: number): Child => (file ? lineLink(view.model, { file, line }) : '–');

// Those of the ranks around are not said again.
function items(body: RankItem[], around: string, level: number): HTMLElement {
  return h('ul', { class: 'nest' }, body.slice(0, MOST).map((i) => {
    const who = i.ranks === around ? null : h('b', { class: 'ranks' }, `${ranksText(i.ranks)}: `);
    return h('li', { 'data-ranks': i.ranks }, i.count === undefined ? [who, h('span', { class: 'call' }, i.call ?? '')] : loop(i, who, level));
  }), body.length > MOST && h('li', { class: 'none' }, `${count(body.length - MOST)} more`));
}

function loop(l: RankItem, who: Child, level: number): HTMLElement {
  return branch(level < OPEN_LEVELS, [who, h('b', null, `${count(l.count ?? 0)} ×`), h('small', null, ` ${several(l.body?.length ?? 0, 'item')} a turn`)],
    () => items(l.body ?? [], l.ranks, level + 1));
}

const nestText = (nest: MpiItem[]): string =>
  nest.map((i) => (typeof i === 'string' ? i : `(${nestText(i.body)})^${count(i.count)}`)).join('; ');

// A square for each pair of ranks, or of neighbouring ranks where there are many: the darker, the more bytes.
function drawn(doc: Mpi): HTMLElement {
  const width = Math.max(1, Math.ceil(doc.ranks / MOST_ROWS));
  const rows = Math.ceil(doc.ranks / width);
  const sums = new Map<number, MpiCell>();
  for (const c of doc.matrix) {
    const key = Math.floor(c.from / width) * rows + Math.floor(c.to / width);
    const sum = sums.get(key) ?? { from: Math.floor(c.from / width), to: Math.floor(c.to / width), messages: 0, bytes: 0 };
    sum.messages += c.messages;
    sum.bytes += c.bytes;
    sums.set(key, sum);
  }
  const most = Math.max(1, ...[...sums.values()].map((c) => c.bytes));
  const name = (i: number): string => (width === 1 ? `rank ${i}` : `ranks ${i * width}–${Math.min(doc.ranks, (i + 1) * width) - 1}`);
  const side = rows * CELL;
  const picture = svg('svg', { viewBox: `0 0 ${side} ${side}`, class: 'rank-matrix', role: 'img',
    'aria-label': `Who sends to whom, ${rows} rows of senders by ${rows} columns of receivers; the table below has the numbers` },
  svg('rect', { width: side, height: side, class: 'ground' }),
  [...sums.values()].map((c) => svg('rect', { x: c.to * CELL, y: c.from * CELL, width: CELL - 1, height: CELL - 1, class: 'cell', 'data-from': c.from, 'data-to': c.to, 'data-messages': c.messages, 'data-bytes': c.bytes,
    'fill-opacity': (0.15 + 0.85 * Math.sqrt(c.bytes / most)).toFixed(3) }, svg('title', {}, `${name(c.from)} to ${name(c.to)}: ${several(c.messages, 'message')}, ${count(c.bytes)} bytes`))));
  return h('figure', { class: 'rank-figure' }, h('figcaption', null, `Rows send to columns${width > 1 ? `, ${width} ranks a row` : ''}; the darkest is ${short(most)} bytes`), picture);
}

function unmatched(view: View, rows: MpiUnmatched[]): HTMLElement {
  return table<MpiUnmatched>([
    { name: 'Rank', number: true, value: (u) => u.rank },
    { name: 'Call', value: (u) => u.call },
    { name: 'Where', value: (u) => view.model.placeName(u), show: (u) => place(view, u.file, u.line) },
    { name: 'Whom', value: (u) => u.peer ?? -1, show: (u) => `${u.send ? 'to' : 'from'} ${u.peer === null ? 'anybody' : `rank ${u.peer}`}` },
    { name: 'Tag', number: true, value: (u) => u.tag ?? -1, show: (u) => (u.tag === null ? 'any' : String(u.tag)) },
    { name: 'Bytes', number: true, value: (u) => u.bytes },
    { name: 'Communicator', value: (u) => u.communicator },
    { name: 'Perhaps', value: (u) => u.hint, show: (u) => u.hint || '–' },
  ], rows, { caption: 'Not matched', most: 25, empty: 'Every message that was sent was received.', attributes: () => ({ class: 'bad' }) });
}

function late(view: View, rows: MpiLate[]): HTMLElement {
  return table<MpiLate>([
    { name: 'Late', value: (l) => l.kind },
    { name: 'Instructions', number: true, title: 'that the rank waited', value: (l) => l.instructions },
    { name: 'Times', number: true, value: (l) => l.count },
    { name: 'Rank', number: true, value: (l) => l.rank },
    { name: 'waits in', value: (l) => l.call },
    { name: 'at', value: (l) => view.model.placeName(l), show: (l) => place(view, l.file, l.line) },
    { name: 'for rank', number: true, value: (l) => l.peer },
    { name: 'in', value: (l) => l.peer_call },
    { name: 'at', value: (l) => `${l.peer_file}:${l.peer_line}`, show: (l) => place(view, l.peer_file, l.peer_line) },
  ], rows, { caption: 'Who waited for whom', most: 25, empty: 'Nobody.', attributes: (l) => ({ 'data-line': view.model.placeName(l) }) });
}

function standing(view: View, title: string, rows: MpiWaiting[]): Child {
  return rows.length > 0 && [h('h3', null, title), h('ul', { class: 'facts-list' }, rows.map((w) => h('li', { 'data-rank': w.rank }, `rank ${w.rank}: ${w.call} `, place(view, w.file, w.line),
    w.waits_for.length === 0 ? ' waits for nothing that is missing' : ` waits for ${w.any ? 'one of ' : ''}${w.waits_for.length === 1 ? 'rank' : 'ranks'} ${w.waits_for.slice(0, 20).join(', ')}${w.waits_for.length > 20 ? ' …' : ''}`)))];
}

export function ranks(view: View, into: HTMLElement): void {
  const { model } = view;
  const doc = model.mpi;
  if (!doc) return fill(into, heading('Ranks'), missing(model, 'mpi'));
  const all = doc.ranks === 1 ? '0' : `0-${doc.ranks - 1}`;
  fill(into, heading('Ranks', `${several(doc.ranks, 'rank')} in ${several(doc.classes.length, 'class', 'classes')}; ${several(doc.messages.matched, 'message')} received${doc.messages.guessed ? `, ${count(doc.messages.guessed)} of them as what was left` : ''}, ${count(doc.messages.unmatched.length)} sends and receives without another end. If messages took no time, the run would be ${count(doc.length)} instructions long, and all ranks together would have waited ${count(doc.waited)}.`,
    model.report.traces.length > 1 && 'The other sections are about the first of these ranks.'),
  standing(view, 'Deadlock', doc.deadlock),
  doc.mismatches.length > 0 && [h('h3', null, 'Collectives that are not called alike'), h('ul', { class: 'facts-list' }, doc.mismatches.map((m) => h('li', null, `rank ${m.rank}: ${m.call} `, place(view, m.file, m.line), `; rank ${m.peer}: ${m.peer_call} `, place(view, m.peer_file, m.peer_line))))],
  unmatched(view, doc.messages.unmatched),
  h('details', { class: 'thread-nest', open: true }, h('summary', null, h('h3', null, 'Loop nest of all ranks')), items(doc.merged, all, 0)),
  table<MpiClass>([
    { name: 'Ranks', value: (c) => c.ranks }, { name: 'Calls', number: true, title: 'of each', value: (c) => c.calls },
    { name: 'Nest', value: (c) => nestText(c.nest), show: (c) => h('span', { class: 'name', title: nestText(c.nest) }, nestText(c.nest).slice(0, 400)) },
  ], doc.classes, { caption: 'Classes of ranks that call the same', most: 25 }),
  doc.matrix.length > 0 && h('h3', null, 'Who sends to whom'), doc.matrix.length > 0 && drawn(doc),
  table<MpiCell>([
    { name: 'From', number: true, value: (c) => c.from }, { name: 'To', number: true, value: (c) => c.to }, { name: 'Messages', number: true, value: (c) => c.messages }, { name: 'Bytes', number: true, value: (c) => c.bytes },
    { name: 'One-sided', number: true, title: 'calls that reach into the other rank’s window', value: (c) => c.one_sided ?? 0 }, { name: 'Their bytes', number: true, value: (c) => c.one_sided_bytes ?? 0 },
  ], doc.matrix, { caption: 'From rank to rank', most: 25, empty: 'No messages.' }),
  late(view, doc.late), standing(view, 'Where the other traces end', doc.unfinished));
}
