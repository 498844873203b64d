// SPDX-License-Identifier: GPL-2.0-or-later
// What ran, and what was found, the weightiest first.

import { bar, Child, fill, h } from './dom';
import { Lane } from './documents';
import { count, share, several } from './numbers';
import { link } from './route';
import { table } from './table';
import { chip, heading, leftOut, lineLink, loopItem, loopLink, objectLink, raceLink, threadName, View } from './view';

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
        loopLink(model, l), ' ', chip(l.verdict, `verdict ${l.verdict}`), ' ', l.place.function ?? ''))));
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

function sharing(view: View): HTMLElement {
  const { model } = view;
  const lines = (model.sharing?.lines ?? []).filter((l) => l.false_misses > 0 || l.fix)
    .sort((a, b) => b.false_misses - a.false_misses).slice(0, FEW);
  return card('False sharing', link('sharing'),
    lines.length === 0 ? h('p', { class: 'none' }, model.sharing ? 'None.' : 'Not known: see About this trace.')
      : h('ol', { class: 'findings' }, lines.map((l) => h('li', null,
        h('span', { class: 'weight', title: 'misses for nothing' }, count(l.false_misses)),
        objectLink(model, l.parts[0]?.name ?? null, l.parts.map((p) => p.name ?? '?').join(', ')), l.fix && h('small', null, ` ${l.fix}`)))));
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

// Who did how much: threads that do less than others, and those that wait.
function lanes(view: View): HTMLElement {
  const { timeline } = view.model;
  const most = Math.max(1, ...timeline.lanes.map((l) => l.instructions));
  const life = (l: Lane): number => Math.max(1, l.end - l.begin);
  return table<Lane>([
    { name: 'Thread', value: (l) => l.thread, show: (l) => threadName(l.thread) },
    { name: 'Instructions', number: true, value: (l) => l.instructions },
    { name: 'Beside the busiest', number: true, value: (l) => l.instructions / most,
      show: (l) => [bar(l.instructions / most), share(l.instructions, most)] },
    { name: 'Waiting', number: true, title: 'of the thread\'s life: between the entry and the end of an operation that others came between',
      value: (l) => l.wait / life(l), show: (l) => [bar(l.wait / life(l), 'wait'), share(l.wait, life(l))] },
    { name: 'Holding locks', number: true, title: 'of the thread\'s life', value: (l) => l.hold / life(l),
      show: (l) => [bar(l.hold / life(l), 'hold'), share(l.hold, life(l))] },
    { name: 'Operations', number: true, title: 'of synchronisation', value: (l) => l.operations },
  ], timeline.lanes, { caption: 'Threads', attributes: (l) => ({ 'data-thread': l.thread }) });
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
    attributes: (f) => ({ 'data-line': model.placeName(f) }) });
}

function leftOuts(view: View): HTMLElement | null {
  const { model } = view;
  const notes = [
    leftOut(model.dependences?.scope.left_out, 'dependence row', 'dependence rows'),
    leftOut(model.races?.scope.left_out, 'race', 'races'),
    leftOut(model.sync?.scope.left_out, 'object of synchronisation', 'objects of synchronisation'),
    leftOut(model.patterns?.scope.left_out, 'access', 'accesses'),
  ].filter((n) => n);
  return notes.length ? h('details', { class: 'left-out' }, h('summary', null, 'What is left out'), notes.map((n) => h('p', null, n))) : null;
}

export function overview(view: View, into: HTMLElement): void {
  const { model } = view;
  fill(into, heading(model.report.program || 'Overview'), facts(view),
    h('div', { class: 'cards' }, loops(view), races(view), sharing(view), waits(view)), lanes(view), functions(view), leftOuts(view));
}
