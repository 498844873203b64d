// SPDX-License-Identifier: GPL-2.0-or-later
// What ran, and what was found, the weightiest first.

import { bar, Child, fill, h } from './dom';
import { Lane, SharedLine } from './documents';
import { objectName } from './model';
import { count, share, several } from './numbers';
import { link } from './route';
import { table } from './table';
import { beyond, chip, heading, leftOut, lineLink, loopItem, loopLink, objectLink, raceLink, threadName, View } from './view';

const FEW = 8;

function card(title: string, href: string, ...children: Child[]): HTMLElement {
  return h('article', { class: 'card' }, h('h3', null, h('a', { href }, title)), children);
}

function facts(view: View): HTMLElement {
  const { model } = view;
  const end = model.stats?.end ?? model.stats?.totals ?? {};
  const rows: [string, Child][] = model.report.header.map(([title, text]) => [title, text]);
  rows.push(['Recorded', `${count(end.instructions ?? model.timeline.instructions)} instructions, ${count(end.accesses ?? 0)} accesses, ${several(model.timeline.lanes.length, 'thread')}`]);
  if (model.stats) rows.push(['File', `${count(model.stats.bytes)} bytes, ${model.stats.status}${model.stats.ended ? `, ended: ${model.stats.ended}` : ''}`]);
  return h('dl', { class: 'facts' }, rows.map(([title, text]) => [h('dt', null, title), h('dd', null, text)]));
}

function loops(view: View): HTMLElement {
  const { model } = view;
  const good = (model.advice?.loops ?? []).filter((l) => l.run_speed_up > 1.005 && l.verdict !== 'unseen')
    .sort((a, b) => b.run_speed_up - a.run_speed_up).slice(0, FEW);
  return card('Loops to make parallel', link('advice'),
    good.length === 0 ? h('p', { class: 'none' }, model.advice ? 'None would shorten the run.' : 'Not known: see About this trace.')
      : h('ol', { class: 'findings' }, good.map((l) => h('li', { 'data-loop': loopItem(model, l) },
        h('span', { class: 'weight', title: 'how much faster the whole run would be' }, `× ${l.run_speed_up.toFixed(2)}`),
        loopLink(model, l), ' ', chip(l.verdict, `verdict ${l.verdict}`), ' ', h('span', { class: 'name', title: l.place.function ?? '' }, l.place.function ?? '')))));
}

function races(view: View): HTMLElement {
  const { model } = view;
  const all = model.races?.races ?? [];
  const roots = all.filter((r) => r.labels.status !== 'artifact');
  const follow = all.length - roots.length;
  return card('Data races', link('races'),
    roots.length === 0 ? h('p', { class: 'none' }, model.races ? 'None in this run.' : 'Not known: see About this trace.')
      : h('ol', { class: 'findings' }, roots.slice(0, FEW).map((r) => h('li', { 'data-race': r.id },
        h('span', { class: 'weight' }, `${count(r.instances)} ×`), raceLink(r), ' on ', objectLink(model, r.variable), ' ',
        lineLink(model, r.first), r.first.line !== r.second.line || r.first.file !== r.second.file ? [' – ', lineLink(model, r.second)] : null))),
    roots.length > FEW && h('p', null, `${count(roots.length - FEW)} more.`),
    follow > 0 && h('p', null, `${several(follow, 'more race')} only follow${follow === 1 ? 's' : ''} from these.`));
}

interface FalseSharing { object: string | null; names: string; lines: number; misses: number; fix: string | null }

// Lines of memory that hold the same objects are one finding; those of memory that has no name, too.
function falseSharing(all: SharedLine[]): FalseSharing[] {
  const found = new Map<string, FalseSharing>();
  for (const l of all) {
    if (l.false_misses === 0 && !l.fix) continue;
    const named = l.parts.filter((p) => p.name && !p.name.startsWith('0x'));
    const key = [...new Set(named.map((p) => objectName(p.name ?? '')))].join(', ') || 'memory without a name';
    const of = found.get(key) ?? { object: named[0]?.name ?? l.parts[0]?.name ?? null, names: key, lines: 0, misses: 0, fix: l.fix };
    if (of.lines === 0 && named.length > 0) of.names = named.map((p) => p.name).join(', ');
    else of.names = key;
    of.lines++;
    of.misses += l.false_misses;
    found.set(key, of);
  }
  return [...found.values()].sort((a, b) => b.misses - a.misses);
}

function sharing(view: View): HTMLElement {
  const { model } = view;
  const lines = falseSharing(model.sharing?.lines ?? []);
  return card('False sharing', link('sharing'),
    lines.length === 0 ? h('p', { class: 'none' }, model.sharing ? 'None.' : 'Not known: see About this trace.')
      : h('ol', { class: 'findings' }, lines.slice(0, FEW).map((l) => h('li', null,
        h('span', { class: 'weight', title: 'misses for nothing' }, count(l.misses)),
        objectLink(model, l.object, l.names), l.lines > 1 && h('small', null, ` ${count(l.lines)} lines of memory`), l.fix && h('small', null, ` ${l.fix}`)))),
    lines.length > FEW && h('p', null, `${count(lines.length - FEW)} more.`));
}

function waits(view: View): HTMLElement {
  const { model } = view;
  const objects = (model.sync?.objects ?? []).filter((o) => o.contended > 0 || o.hand_overs > 0)
    .sort((a, b) => b.contended - a.contended || b.hand_overs - a.hand_overs).slice(0, FEW);
  return card('What threads wait for', link('sync'),
    objects.length === 0 ? h('p', { class: 'none' }, model.sync ? 'Nothing.' : 'Not known: see About this trace.')
      : h('ol', { class: 'findings' }, objects.map((o) => h('li', null,
        h('span', { class: 'weight', title: 'times it was not to be had' }, count(o.contended)), objectLink(model, o.name), ' ', o.kind,
        h('small', null, ` ${several(o.hand_overs, 'hand-over')}`)))));
}

// Who did how much, and what would keep whom waiting if each had a processor.
function lanes(view: View): HTMLElement {
  const { timeline } = view.model;
  const most = Math.max(1, ...timeline.lanes.map((l) => l.instructions));
  const length = Math.max(1, ...timeline.lanes.map((l) => l.clock));
  const life = (l: Lane): number => Math.max(1, l.instructions + l.idle);
  return table<Lane>([
    { name: 'Thread', value: (l) => l.thread, show: (l) => threadName(l.thread) },
    { name: 'Instructions', number: true, value: (l) => l.instructions },
    { name: 'Beside the busiest', number: true, value: (l) => l.instructions / most,
      show: (l) => [bar(l.instructions / most), share(l.instructions, most)] },
    { name: 'Idle, if each had a processor', number: true, title: 'of its life, on a processor of its own: waiting for what others give it later',
      value: (l) => l.idle / life(l), show: (l) => [bar(l.idle / life(l), 'wait'), share(l.idle, life(l))] },
    { name: 'Ends at', number: true, title: 'on processors of their own, in instructions', value: (l) => l.clock,
      show: (l) => [bar(l.clock / length), count(l.clock)] },
    { name: 'Operations', number: true, title: 'of synchronisation', value: (l) => l.operations },
  ], timeline.lanes, { caption: 'Threads', attributes: (l) => ({ 'data-thread': l.thread }) });
}

// How much the threads of this run can do at once at most.
function scaling(view: View): Child {
  const { model } = view;
  const { timeline } = model;
  const length = Math.max(...timeline.lanes.map((l) => l.clock));
  if (timeline.lanes.length < 2 || !length) return null;
  const all = timeline.lanes.reduce((sum, l) => sum + l.idle, 0);
  const by = new Map<string, { name: string; kind: string; instructions: number }>();
  for (const i of timeline.idle) {
    const { name, kind } = timeline.objects[i.object];
    const of = by.get(`${kind} ${name}`) ?? { name, kind, instructions: 0 };
    of.instructions += i.instructions;
    by.set(`${kind} ${name}`, of);
  }
  const idle = [...by.values()].sort((a, b) => b.instructions - a.instructions).slice(0, 5);
  return [h('p', { class: 'scaling' }, 'With a processor for each thread the run would be ', h('b', null, count(length)), ' instructions long instead of ', count(timeline.instructions), ': ',
    h('b', null, `× ${(timeline.instructions / length).toFixed(2)}`), ` for ${several(timeline.lanes.length, 'thread')}.`),
  idle.length > 0 && h('p', null, 'Threads would be idle for: ', idle.map((o, n) => [n ? ', ' : '', o.name ? objectLink(model, o.name) : o.kind === 'thread' ? 'starts and ends of threads' : o.kind,
    ` (${o.name ? `${o.kind}, ` : ''}${share(o.instructions, all)})`]), '.')];
}

function functions(view: View): HTMLElement {
  const { model, range } = view;
  const all = model.functions(range);
  const whole = all.reduce((sum, f) => sum + f.instructions, 0);
  return table([
    { name: 'Function', value: (f) => f.name, show: (f) => h('span', { class: 'name', title: f.name }, f.name) },
    { name: 'Where', value: (f) => model.placeName(f), show: (f) => lineLink(model, f) },
    { name: 'Instructions', number: true, value: (f) => f.instructions },
    { name: 'Share', number: true, value: (f) => f.instructions, show: (f) => [bar(f.instructions / whole), share(f.instructions, whole)] },
  ], all, { caption: range ? 'Functions in this part of the run' : 'Functions, by instructions of their own', most: 15,
    empty: 'No function of the program has lines in a source: without debug information (-g) they are not listed.',
    attributes: (f) => ({ 'data-line': model.placeName(f) }) });
}

function leftOuts(view: View): HTMLElement | null {
  const { model } = view;
  const notes = [
    leftOut(model.dependences?.scope.left_out, 'dependence row', 'dependence rows'),
    leftOut(model.races?.scope.left_out, 'race', 'races'),
    leftOut(model.sync?.scope.left_out, 'object of synchronisation', 'objects of synchronisation'),
    leftOut(model.patterns?.scope.left_out, 'access', 'accesses'),
    beyond(model.dependences?.rows_left_out, 'dependence row', 'dependence rows', 'annotate'),
    beyond(model.patterns?.lines_left_out, 'source line with access patterns', 'source lines with access patterns', 'patterns'),
    beyond(model.advice?.loops_left_out, 'loop', 'loops', 'advise'),
  ].filter((n) => n);
  return notes.length ? h('details', { class: 'left-out' }, h('summary', null, 'What is left out'), notes.map((n) => h('p', null, n))) : null;
}

export function overview(view: View, into: HTMLElement): void {
  const { model } = view;
  fill(into, heading(model.report.program || 'Overview'), facts(view),
    h('div', { class: 'cards' }, loops(view), races(view), sharing(view), waits(view)), scaling(view), lanes(view), functions(view), leftOuts(view));
}
