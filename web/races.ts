// SPDX-License-Identifier: GPL-2.0-or-later
// Data races: those that follow from no other first, below each those that do. Both sides beside each other.

import { Child, fill, h, shown } from './dom';
import { FoldedFrames, Frame, Race, RaceSide } from './documents';
import { count, several } from './numbers';
import { current, note } from './route';
import { table } from './table';
import { chip, heading, leftOut, lineLink, missing, objectLink, raceLink, threadName, View } from './view';

const AROUND = 3;
const OPENED = 3;

const LABELS: Record<string, string> = {
  schedulable: 'could have been the other way round in this very run', adhoc: 'ordered by a loop that waits', mixed: 'atomic on one side',
  object: 'an object of synchronisation', after_free: 'after free', ordered: 'ordered, but not by what the program may rely on',
  stays: 'stays when the race that it follows from is put under a lock', lock_order: 'ordered by the locks of this run alone', iteration: 'two iterations of a worksharing loop',
};

function excerpt(view: View, side: RaceSide): Child {
  const lines = view.model.files.get(side.file)?.lines;
  if (!lines || !side.line) return null;
  const first = Math.max(1, side.line - AROUND);
  const last = Math.min(lines.length, side.line + AROUND);
  return h('pre', { class: 'excerpt', tabindex: '0' }, lines.slice(first - 1, last).map((text, i) =>
    h('span', { class: first + i === side.line ? 'here' : null }, `${String(first + i).padStart(5)}  ${shown(text).slice(0, 300)}\n`)));
}

function frame(view: View, f: Frame, number: number): HTMLElement {
  return h('li', { value: number }, h('span', { class: 'name', title: f.function }, f.function || '?'), ' ', lineLink(view.model, f), f.inlined && ' (inlined)');
}

// As in the text of the command: frames of others than the program that stand together are one line, which opens.
function stack(view: View, frames: Frame[], folded: FoldedFrames[] | undefined): HTMLElement {
  const list = h('ol', { class: 'stack' });
  const some = (first: number, end: number): HTMLElement[] => frames.slice(first, end).map((f, i) => frame(view, f, first + i + 1));
  let at = 0;
  for (const part of folded ?? []) {
    list.append(...some(at, part.first));
    at = part.first + part.frames;
    list.append(h('li', { class: 'folded', value: part.first + 1 }, h('details', { open: allFrames() },
      h('summary', null, `… ${count(part.frames)} frames of ${part.of}`), h('ol', null, some(part.first, at)))));
  }
  list.append(...some(at, frames.length));
  return list;
}

const allFrames = (): boolean => current().keys.stacks === 'full';

function sideView(view: View, name: string, side: RaceSide, locks: string[]): HTMLElement {
  return h('div', { class: 'side' }, h('h4', null, `${name}: ${side.access} in ${threadName(side.thread)}`),
    h('p', null, lineLink(view.model, side), ' ', h('span', { class: 'name', title: side.function }, side.function),
      locks.length > 0 ? [', holding ', locks.map((l, i) => [i ? ', ' : '', objectLink(view.model, l)])] : ', holding no lock'),
    excerpt(view, side), stack(view, side.stack, side.folded));
}

function detail(view: View, r: Race): Child {
  const { model } = view;
  const labels = Object.keys(LABELS).filter((l) => r.labels[l] === true);
  const cause = model.races!.races.find((x) => x.id === r.labels.of);
  const follow = model.races!.races.filter((x) => x.labels.of === r.id);
  return h('div', { class: 'race' },
    labels.length > 0 && h('p', null, labels.map((l) => LABELS[l]).join('; '), '.'),
    cause && h('div', { class: 'why' }, r.labels.status === 'tangle' ? h('h4', null, 'Follows in part from ', raceLink(cause)) :
      h('h4', null, 'Follows from ', raceLink(cause), ': without that race this one would not be'),
      h('ol', null, r.reason.map((step) => h('li', null, step)))),
    h('div', { class: 'sides' }, sideView(view, 'Earlier', r.first, r.locks.first), sideView(view, 'Later', r.second, r.locks.second)),
    r.location.allocated && h('div', { class: 'allocated' }, h('h4', null, 'The block was allocated'), stack(view, r.location.allocated, r.location.folded)),
    r.notes.map((n) => h('p', null, n)),
    follow.length > 0 && h('p', null, 'What follows from it: ', follow.slice(0, 30).map((x, i) => [i ? ', ' : '', raceLink(x)]), '.'));
}

// Roots before tangles, by how often they happened, each with those that follow from it, in part or all, behind it.
function ordered(races: Race[]): Race[] {
  const tangled = (r: Race): number => Number(r.labels.status === 'tangle');
  const roots = races.filter((r) => r.labels.status !== 'artifact').sort((a, b) => tangled(a) - tangled(b) || b.instances - a.instances || a.id - b.id);
  const all: Race[] = [];
  const add = (r: Race): void => {
    if (all.includes(r)) return;
    all.push(r);
    races.filter((x) => x.labels.of === r.id).forEach(add);
  };
  roots.forEach(add);
  races.forEach(add);
  return all;
}

const hasFolded = (all: Race[]): boolean => all.some((r) => [r.first, r.second, r.location].some((s) => (s.folded ?? []).length > 0));

export function races(view: View, into: HTMLElement): void {
  const { model, range, route } = view;
  const doc = model.races;
  if (!doc) return fill(into, heading('Races'), missing(model, 'races'));
  const all = ordered(doc.races.filter((r) => model.isIn(r.first.file, r.first.line, range) && model.isIn(r.second.file, r.second.line, range)));
  const having = (status: string): Race[] => all.filter((r) => r.labels.status === status);
  const artifacts = having('artifact').length;
  const tangles = having('tangle').length;
  const roots = all.length - artifacts - tangles;
  const first = new Set(all.filter((r) => r.labels.status !== 'artifact').slice(0, OPENED));
  fill(into, heading('Races', all.length === 0 ? null :
    [`${several(roots, 'race')} that follow${roots === 1 ? 's' : ''} from no other, `, tangles > 0 && `${count(tangles)} that explain each other (tangles), `,
      `${count(artifacts)} that would go with them. Mend the first ones.`]),
  hasFolded(doc.races) && h('p', { class: 'filters' }, h('label', null, h('input', {
    type: 'checkbox', name: 'stacks', checked: allFrames(), change: (e: Event) => {
      const { checked } = e.target as HTMLInputElement;
      note({ stacks: checked ? 'full' : '' });
      into.querySelectorAll<HTMLDetailsElement>('.folded details').forEach((d) => { d.open = checked; });
    },
  }), 'All frames: those of libraries and of system headers, too')),
  table<Race>([
    { name: 'Race', value: (r) => r.id, show: (r) => raceLink(r) },
    { name: 'Variable', value: (r) => r.variable, show: (r) => [objectLink(model, r.variable), h('small', null, ` ${r.location.type ?? ''} ${r.location.kind}`)] },
    { name: 'Status', value: (r) => r.labels.status, show: (r) => [chip(r.labels.status, `status ${r.labels.status}`), r.labels.of !== null && ` of ${r.labels.of}`] },
    { name: 'Earlier', value: (r) => model.placeName(r.first), show: (r) => [r.first.access, ' ', lineLink(model, r.first)] },
    { name: 'Later', value: (r) => model.placeName(r.second), show: (r) => [r.second.access, ' ', lineLink(model, r.second)] },
    { name: 'Threads', value: (r) => `${r.first.thread}, ${r.second.thread}` },
    { name: 'Instances', number: true, value: (r) => r.instances },
  ], all, {
    caption: range ? 'Data races between lines that were executed in this part of the run' : 'Data races', detail: (r) => detail(view, r),
    opened: (r) => (route.item ? String(r.id) === route.item : first.has(r)), attributes: (r) => ({ 'data-race': r.id, class: r.labels.status === 'artifact' ? 'follows' : null }),
    empty: range ? 'None in this part of the run.' : 'None: no two threads met without being ordered.',
  }), leftOut(doc.scope.left_out, 'race', 'races'), summary(view));
}

const SUMMARY: Record<string, string> = {
  suppressed: 'suppressed', adhoc: 'ordered by loops that wait', atomic: 'between atomic accesses', runtime: 'of the C and C++ libraries\' own data', gaps: 'in gaps of the recording', undecided: 'undecided',
};

function summary(view: View): Child {
  const s = view.model.races!.summary;
  const parts = Object.keys(SUMMARY).filter((k) => Number(s[k]) > 0).map((k) => `${count(Number(s[k]))} ${SUMMARY[k]}`);
  return [parts.length > 0 && h('p', { class: 'note' }, `Not shown: ${parts.join(', ')}.`), typeof s.note === 'string' && h('p', { class: 'note' }, s.note),
    Array.isArray(s.incomplete) && h('p', { class: 'missing' }, `Interrupted, so not known: ${s.incomplete.join(', ')}.`)];
}
