// SPDX-License-Identifier: GPL-2.0-or-later
// Everything that is known of one line, beside the listing.

import { Arrow } from './arrows';
import { Child, fill, h } from './dom';
import { CarriedRow, Dependence, Loop } from './documents';
import { LineFacts, Model } from './model';
import { count, several } from './numbers';
import { chip, lineLink, loopLink, momentLink, objectLink, raceLink, syncLink, threadName, threads, View } from './view';

const MOST = 60;

// Where advice says that a loop carries this dependence, and how far.
export function carriedBy(model: Model, r: Dependence): { loop: Loop; row: CarriedRow }[] {
  const found: { loop: Loop; row: CarriedRow }[] = [];
  for (const loop of model.advice?.loops ?? [])
    for (const c of loop.carried)
      for (const row of c.rows)
        if (row.kind.toUpperCase() === r.kind && row.source.line === r.source.line && row.target.line === r.target.line &&
          loop.place.file === r.source.file && r.target.file === r.source.file) found.push({ loop, row });
  return found;
}

export const distance = (row: { least: number; greatest: number }): string =>
  row.least === row.greatest ? `distance ${count(row.least)}` : `distance ${count(row.least)} to ${count(row.greatest)}`;

const ends: Record<string, string> = { '': '', c: ' (in a call)', h: ' (in a hidden function)' };

export function dependenceText(model: Model, r: Dependence, here?: number): Child[] {
  const carried = carriedBy(model, r);
  const end = (e: Dependence['source']): Child[] => [here === e.line ? 'here' : lineLink(model, e), ends[e.code] ?? ''];
  return [
    chip(r.kind, `kind ${r.kind}`), ' ', ...end(r.source), ' → ', ...end(r.target), ' ', h('b', null, `${count(r.count)} ×`),
    (r.objects ?? []).filter((o) => o.name).map((o, i) => [i ? ', ' : ' ', objectLink(model, o.name)]),
    r.threads && h('small', null, ` thread ${r.threads[0]} to ${r.threads[1]}`),
    carried.slice(0, 2).map((c) => h('small', { class: 'carried' }, ' ↻ ', loopLink(model, c.loop), ` ${distance(c.row)}`)),
  ];
}

// The first time: where in the run, which bytes; the access itself if the row's end is a call.
function firstText(model: Model, r: Dependence): Child {
  const f = r.first;
  if (!f) return null;
  const inCall = f.at.line !== r.target.line || f.at.file !== r.target.file;
  return h('small', { class: 'first' }, 'first at ', momentLink(model, f.instructions), `, ${threadName(f.thread)}, `,
    `${several(f.bytes, 'byte')} at 0x${f.address.toString(16)}`, inCall && f.at.line > 0 && [', by ', lineLink(model, f.at)]);
}

export function arrowText(model: Model, a: Arrow | null): Child {
  if (!a) return h('span', { class: 'none' }, 'Point at an arrow, or press n on a line, for what it says.');
  return [
    h('b', null, `${a.kind} `), `line ${a.from} → line ${a.to}, ${several(Math.abs(a.to - a.from), 'line')} apart, ${count(a.count)} times: `,
    a.rows.slice(0, 3).map((r, i) => [i ? '; ' : '', `class ${r.class} in ${r.ancestor}`,
      (r.objects ?? []).some((o) => o.name) && [' on ', (r.objects ?? []).filter((o) => o.name).map((o, k) => [k ? ', ' : '', objectLink(model, o.name)])],
      carriedBy(model, r).slice(0, 1).map((c) => [' ↻ carried by ', loopLink(model, c.loop), `, ${distance(c.row)}`])]),
    a.rows.length > 3 && ` and ${a.rows.length - 3} more`,
  ];
}

function list(title: string, items: Child[]): Child {
  if (items.length === 0) return null;
  return [h('h4', null, `${title} (${count(items.length)})`), h('ul', { class: 'facts-list' }, items.slice(0, MOST).map((i) => h('li', null, i)),
    items.length > MOST && h('li', { class: 'none' }, `${count(items.length - MOST)} more`))];
}

export function lineDetail(view: View, into: HTMLElement, file: string, line: number, accept: (r: Dependence) => boolean): void {
  const { model, range } = view;
  const facts: LineFacts | undefined = model.lineFacts(file, line);
  const instructions = model.instructionsOf(file, line, range);
  const rows = (facts?.dependences ?? []).filter(accept).sort((a, b) => b.count - a.count);
  const functions = [...(model.heat.get(`${file}:${line}`)?.functions.keys() ?? [])];
  fill(into, h('h3', null, model.placeName({ file, line })),
    h('p', null, functions.length > 0 && [functions.join(', '), ': '],
      instructions > 0 ? several(instructions, 'instruction') : 'no instructions of this line were executed',
      range && ' in this part of the run'),
    list('Loops', (facts?.loops ?? []).map((l) => [loopLink(model, l), ' ', chip(l.verdict, `verdict ${l.verdict}`), ' ',
      `${several(l.iterations, 'iteration')}`, l.run_speed_up > 1.005 && ` × ${l.run_speed_up.toFixed(2)}`])),
    list('Races', (facts?.races ?? []).map((r) => [raceLink(r), ' on ', objectLink(model, r.variable), ` ${r.first.access} – ${r.second.access}, ${count(r.instances)} ×`])),
    list('Dependences', rows.map((r) => [dependenceText(model, r, r.source.file === r.target.file ? line : undefined), firstText(model, r)])),
    list('Bytes passed between threads', (facts?.passed ?? []).map((p) => [lineLink(model, p.from), ' → ', lineLink(model, p.to), ` ${several(p.bytes, 'byte')}`])),
    list('Synchronisation', (facts?.waits ?? []).map((w) => [objectLink(model, w.object.name), ` ${w.object.kind}, threads ${threads(w.object.threads)}`])),
    list('Critical sections', (facts?.sections ?? []).map((s) => [objectLink(model, s.lock.name), ` got ${count(s.line.times)} ×, held for ${several(s.line.insns_held, 'instruction')}`,
      model.sync!.rerun?.ended === true && `, would wait ${count(s.line.would_wait)} ×, ${several(s.line.insns_would_wait, 'instruction')}`, ' ', syncLink(s.lock.name)])),
    list('Barriers', (facts?.barriers ?? []).map((b) => [objectLink(model, b.name), ` ${several(b.rounds, 'round')} of ${count(b.threads_most)} threads `, syncLink(b.name)])),
    list('Walks through memory', (facts?.patterns ?? []).map((p) => [`${count(p.accesses)} accesses, ${count(p.footprint_lines)} cache lines`,
      p.instructions.flatMap((i) => i.advice).slice(0, 2).map((a) => h('div', null, h('small', null, a.text)))])));
}
