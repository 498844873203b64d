// SPDX-License-Identifier: GPL-2.0-or-later
// About the trace and the page: what was asked, what failed, how to read and to move.

import { fill, h } from './dom';
import { CommandNote } from './documents';
import { count } from './numbers';
import { table } from './table';
import { heading, View } from './view';

const KEYS: [string, string][] = [
  ['/', 'search'], ['1 … 9', 'sections'], ['Source: ↑ ↓ PgUp PgDn', 'lines'], ['Source: n p', 'dependences of the line'], ['Source: Enter', 'the other end of the dependence'],
  ['Timeline: ← →', 'move'], ['Timeline: + −', 'zoom'], ['Timeline: Enter', 'narrow everything to what is in sight'], ['Esc', 'the whole run again'],
];

export function about(view: View, into: HTMLElement): void {
  const { model } = view;
  const totals = Object.entries(model.stats?.totals ?? {});
  fill(into, heading('About this trace'),
    h('dl', { class: 'facts' }, model.report.header.map(([title, text]) => [h('dt', null, title), h('dd', null, text)])),
    table<CommandNote>([
      { name: 'Asked', value: (c) => c.words.join(' '), show: (c) => h('code', null, `cdrgrind ${c.words.join(' ')}`) },
      { name: 'Status', number: true, value: (c) => c.status },
      { name: 'It said', value: (c) => c.messages.join(' '), show: (c) => (c.messages.length ? c.messages.map((m) => h('div', null, m)) : '–') },
    ], model.report.commands, { caption: 'What the page is made of', attributes: (c) => ({ class: c.document ? null : 'bad' }) }),
    totals.length > 0 && table<[string, number]>([
      { name: 'What', value: ([name]) => name.replace(/_/g, ' ') }, { name: 'How many', number: true, value: ([, n]) => n },
    ], totals, { caption: 'In the trace' }),
    view.model.timeline.left_out > 0 && h('p', { class: 'note' }, `Of the timeline ${count(view.model.timeline.left_out)} turns and operations are not there one by one, only in its overview.`),
    h('h3', null, 'Keys'), h('dl', { class: 'facts keys' }, KEYS.map(([key, what]) => [h('dt', null, h('kbd', null, key)), h('dd', null, what)])),
    h('h3', null, 'Words'), h('dl', { class: 'facts' }, [
      ['RAW, WAR, WAW', 'read after write, write after read, write after write: the later access must stay behind the earlier one'],
      ['carried ↻', 'from one iteration of a loop to a later one; the distance is how many iterations later'],
      ['root, artifact', 'a race that follows from no other; one that would not be without another one'],
      ['miss for nothing', 'a cache line was taken away because of bytes that the thread does not use (false sharing)'],
      ['true order', 'the order in which Valgrind ran everything, one thread at a time'],
    ].map(([title, text]) => [h('dt', null, title), h('dd', null, text)])),
    h('p', { class: 'note' }, `Made by cdrgrind ${model.report.version}.`));
}
