// SPDX-License-Identifier: GPL-2.0-or-later
// What all sections are built with: the model, where the reader is, and links to everything that has a name.

import { Attributes, Child, fill, h } from './dom';
import { Loop, Place, Race } from './documents';
import { loopId, Model, objectName } from './model';
import { count } from './numbers';
import { link, Range, Route } from './route';

export interface View { model: Model; route: Route; range: Range | null }

// Draws into the section's element; called again when the route changes.
export type Section = (view: View, into: HTMLElement) => void;

export function lineLink(model: Model, p: Place | { file: string; line: number }, text?: string): HTMLElement {
  const name = model.placeName(p);
  if (!p.line || !model.hasSource(p.file)) return h('span', { class: 'place', title: p.file }, text ?? name);
  return h('a', { class: 'place', href: link('source', name), title: p.file }, text ?? name);
}

export function objectLink(model: Model, name: string | null, text?: string): HTMLElement {
  if (!name) return h('span', { class: 'none' }, '–');
  const known = model.object(name);
  const attributes = { class: 'name', title: name, 'data-object': objectName(name) };
  return known ? h('a', { ...attributes, href: link('sharing', objectName(name)) }, text ?? name)
    : h('span', attributes, text ?? name);
}

export const raceLink = (r: Race): HTMLElement =>
  h('a', { href: link('races', String(r.id)), 'data-race': r.id }, `race ${r.id}`);

// All that the section says of an object of synchronisation.
export const syncLink = (name: string): HTMLElement => h('a', { href: link('sync', name) }, 'in Synchronisation');

export const shortLoop = (model: Model, l: Loop): string => `${model.placeName(l.place)}`;
export const loopLink = (model: Model, l: Loop, text?: string): HTMLElement =>
  h('a', { href: link('advice', loopItem(model, l)), 'data-loop': loopItem(model, l), title: loopId(l) },
    text ?? shortLoop(model, l));

// Loops by where they are; a second one there has a number.
export function loopItem(model: Model, l: Loop): string {
  const id = (x: Loop): string => `${model.placeName(x.place)}:${x.place.function ?? ''}`;
  const alike = (model.advice?.loops ?? []).filter((x) => id(x) === id(l));
  const n = alike.indexOf(l);
  return n > 0 ? `${id(l)}#${n + 1}` : id(l);
}

// A place of the run on the timeline, with as much around it that its surroundings are seen.
export function momentLink(model: Model, at: number): HTMLElement {
  const all = model.timeline.instructions;
  const margin = Math.max(500, Math.round(all / 50));
  return h('a', { href: link('timeline', `${Math.max(0, at - margin)}-${Math.min(all, at + margin)}`, { at: String(at) }), 'data-at': at }, `instruction ${count(at)}`);
}

export const threadName = (thread: number): string => (thread === 1 ? 'main' : `thread ${thread}`);
export const threads = (list: number[]): string => list.join(', ');

export function heading(text: string, ...more: Child[]): HTMLElement {
  return h('header', { class: 'section-head' }, h('h2', { tabindex: '-1' }, text), ...more.map((m) => m && h('p', null, m)));
}
// A part of a tree; what is in it is drawn when it is first open.
export function branch(open: boolean, summary: Child, draw: () => Child): HTMLElement {
  const body = h('div', null);
  const box = h('details', { open, toggle: () => {
    if ((box as HTMLDetailsElement).open && !body.firstChild) fill(body, draw());
  } }, h('summary', null, summary), body);
  if (open) fill(body, draw());
  return box;
}
export const chip = (text: string, kind: string, attributes: Attributes = {}): HTMLElement =>
  h('span', { ...attributes, class: `chip ${kind}` }, text);

// Why a section has nothing: what its command said.
export function missing(model: Model, command: string): HTMLElement {
  const run = model.report.commands.find((c) => c.words[0] === command);
  const said = run?.messages.length ? run.messages : [`cdrgrind ${command} gave nothing.`];
  return h('div', { class: 'missing' }, said.map((line) => h('p', null, line)));
}

// What a document left out, by its scope.
// What of a long document is not in the page.
export function beyond(n: number | undefined, one: string, many: string, command: string): Child {
  if (!n) return null;
  return `${count(n)} more ${n === 1 ? one : many}, less frequent or of less weight, are not in the page; cdrgrind ${command} has them.`;
}

export function leftOut(n: number | undefined, one: string, many: string): Child {
  if (!n) return null;
  return `Left out: ${count(n)} ${n === 1 ? one : many} of others than the program (report --scope=all shows them).`;
}
