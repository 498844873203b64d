// SPDX-License-Identifier: GPL-2.0-or-later
// The sources: files, one of them line by line with what depends on what, how hot lines are, and what is known of each.

import { Arrow, arrowsOf } from './arrows';
import { bar, Child, fill, h } from './dom';
import { Dependence } from './documents';
import { arrowText, carriedBy, lineDetail } from './line_detail';
import { LineMark, Listing } from './listing';
import { LineFacts, SourceFile } from './model';
import { count, share, short } from './numbers';
import { link, refine } from './route';
import { table } from './table';
import { heading, lineLink, loopItem, View } from './view';

const KINDS = ['RAW', 'WAR', 'WAW'];
const CLASSES: Record<string, string> = {
  s: 'stack', r: 'recycled', o: 'other', f: 'false', l: 'linkage',
};
const HEATS: Record<string, string> = { instructions: 'instructions', misses: 'misses for nothing', races: 'races' };

// What the address says of filters.
interface Filter { kinds: Set<string>; classes: Set<string> | null; object: string; loop: string; heat: string }

function filterOf(view: View): Filter {
  const { keys } = view.route;
  return {
    kinds: new Set(keys.kind ? keys.kind.toUpperCase().split(',') : KINDS), classes: keys.class ? new Set(keys.class.split(',')) : null,
    object: keys.object ?? '', loop: keys.loop ?? '', heat: keys.heat ?? 'instructions',
  };
}

function accepts(view: View, filter: Filter): (r: Dependence) => boolean {
  const { model, range } = view;
  const wanted = filter.object.toLowerCase();
  return (r) => filter.kinds.has(r.kind) && (!filter.classes || filter.classes.has(r.class)) &&
    (!wanted || (r.objects ?? []).some((o) => (o.name ?? '').toLowerCase().includes(wanted))) &&
    (!filter.loop || carriedBy(model, r).some((c) => loopItem(model, c.loop) === filter.loop)) &&
    model.isIn(r.source.file, r.source.line, range) && model.isIn(r.target.file, r.target.line, range);
}

// --- files

function filesPane(view: View, chosen: string): HTMLElement {
  const { model, range } = view;
  const totals = new Map<string, number>();
  for (const heat of model.heat.values())
    totals.set(heat.file, (totals.get(heat.file) ?? 0) + model.instructionsIn(heat, range));
  const files = [...model.files.values()].sort((a, b) => (totals.get(b.file) ?? 0) - (totals.get(a.file) ?? 0));
  const whole = files.reduce((sum, f) => sum + (totals.get(f.file) ?? 0), 0);
  const folders = new Map<string, SourceFile[]>();
  for (const f of files) {
    const folder = f.file.slice(0, Math.max(0, f.file.lastIndexOf('/')));
    folders.set(folder, [...(folders.get(folder) ?? []), f]);
  }
  const item = (f: SourceFile): HTMLElement => h('li', null, h('a', {
    href: link('source', f.name), title: f.file, 'aria-current': f.file === chosen ? 'true' : null, class: f.lines ? null : 'no-text',
  }, h('span', { class: 'file-name' }, f.file.slice(f.file.lastIndexOf('/') + 1)),
  h('span', { class: 'file-share' }, bar((totals.get(f.file) ?? 0) / (whole || 1)), share(totals.get(f.file) ?? 0, whole))));
  return h('nav', { class: 'files', 'aria-label': 'Source files' }, [...folders].map(([folder, of], i) =>
    h('details', { open: i < 3 || of.some((f) => f.file === chosen) }, h('summary', { title: folder }, folder || 'no folder'), h('ul', null, of.map(item)))));
}

// --- filters

function toggle(name: string, key: string, value: string, on: boolean, all: string[], now: Set<string>): HTMLElement {
  const change = (e: Event): void => {
    const next = new Set(now);
    if ((e.target as HTMLInputElement).checked) next.add(value);
    else next.delete(value);
    refine({ [key]: all.every((a) => next.has(a)) ? '' : [...next].join(',') || '-' });
  };
  return h('label', { class: `toggle ${value}` }, h('input', { type: 'checkbox', checked: on, value, change }), name);
}

function filters(view: View, filter: Filter, file: string): HTMLElement {
  const { model } = view;
  const rows = model.linesOf(file).flatMap((f) => f.dependences);
  const classes = Object.keys(CLASSES).filter((c) => rows.some((r) => r.class === c));
  const now = filter.classes ?? new Set(classes);
  const loops = (model.advice?.loops ?? []).filter((l) => l.place.file === file).sort((a, b) => a.place.line - b.place.line);
  const option = (value: string, text: string, now: string): HTMLElement => h('option', { value, selected: value === now }, text);
  return h('form', { class: 'filters', 'aria-label': 'Filters of dependences', submit: (e: Event) => e.preventDefault() },
    h('fieldset', null, h('legend', null, 'Kind'), KINDS.map((k) => toggle(k, 'kind', k, filter.kinds.has(k), KINDS, filter.kinds))),
    classes.length > 1 && h('fieldset', null, h('legend', null, 'Class'), classes.map((c) => toggle(CLASSES[c], 'class', c, now.has(c), classes, now))),
    h('label', null, 'Object ', h('input', { type: 'search', name: 'object', value: filter.object, size: 10,
      input: (e: Event) => refine({ object: (e.target as HTMLInputElement).value }) })),
    loops.length > 0 && h('label', null, 'Carried by ', h('select', { name: 'loop', change: (e: Event) => refine({ loop: (e.target as HTMLSelectElement).value }) },
      option('', 'any or no loop', filter.loop), loops.map((l) => option(loopItem(model, l), `line ${l.place.line}, ${l.verdict}`, filter.loop)))),
    h('label', null, 'Heat ', h('select', { name: 'heat', change: (e: Event) => refine({ heat: (e.target as HTMLSelectElement).value }) },
      Object.keys(HEATS).map((k) => option(k, HEATS[k], filter.heat)))));
}

// --- lines

function marksOf(view: View, facts: LineFacts | undefined): LineMark[] {
  if (!facts) return [];
  const marks: LineMark[] = [];
  const roots = facts.races.filter((r) => r.labels.status !== 'artifact');
  if (facts.races.length) marks.push({ text: 'R', kind: roots.length ? 'race' : 'artifact', title: `${facts.races.length} races` });
  for (const l of facts.loops.slice(0, 1)) marks.push({ text: l.verdict[0].toUpperCase(), kind: `verdict ${l.verdict}`, title: `loop: ${l.verdict}` });
  if (facts.dependences.some((r) => carriedBy(view.model, r).length > 0)) marks.push({ text: '↻', kind: 'carried', title: 'carried by a loop' });
  if (facts.waits.length || facts.sections.length || facts.barriers.length) marks.push({ text: 'S', kind: 'sync', title: 'synchronisation' });
  return marks;
}

function heatOf(view: View, file: string, kind: string): (line: number) => { share: number; text: string } {
  const { model, range } = view;
  const value = (line: number): number => {
    if (kind === 'misses') return model.lineFacts(file, line)?.falseMisses ?? 0;
    if (kind === 'races') return (model.lineFacts(file, line)?.races ?? []).reduce((sum, r) => sum + r.instances, 0);
    return model.instructionsOf(file, line, range);
  };
  let most = 1;
  for (const heat of model.heat.values()) if (heat.file === file) most = Math.max(most, value(heat.line));
  return (line) => {
    const v = value(line);
    return { share: v / most, text: v > 0 ? short(v) : '' };
  };
}

// Lines of a file whose text is not there.
function knownLines(view: View, file: string): HTMLElement {
  const { model, range } = view;
  const facts = model.linesOf(file).filter((f) => f.line > 0).sort((a, b) => a.line - b.line);
  return table<LineFacts>([
    { name: 'Line', number: true, value: (f) => f.line, show: (f) => lineLink(model, f, String(f.line)) },
    { name: 'Instructions', number: true, value: (f) => model.instructionsOf(file, f.line, range) },
    { name: 'Dependences', number: true, value: (f) => f.dependences.length },
    { name: 'Races', number: true, value: (f) => f.races.length },
  ], facts, { caption: 'Lines that something is known of', attributes: (f) => ({ 'data-line': model.placeName(f) }) });
}

let shownListing: { file: string; listing: Listing } | null = null;

function placed(view: View): { file: SourceFile | undefined; line: number } {
  const { model, route } = view;
  const match = /^(.*):(\d+)$/.exec(route.item);
  const name = match ? match[1] : route.item;
  const file = name ? model.fileNamed(name) : undefined;
  const hottest = [...model.files.values()].sort((a, b) => Number(!!b.lines) - Number(!!a.lines) || b.instructions - a.instructions)[0];
  return { file: file ? model.files.get(file) : name ? undefined : hottest, line: match ? Number(match[2]) : 0 };
}

function fileView(view: View, file: SourceFile, line: number): Child {
  const { model } = view;
  const filter = filterOf(view);
  const accept = accepts(view, filter);
  const detail = h('aside', { class: 'line-detail', 'aria-label': 'The chosen line', tabindex: '0' });
  const status = h('p', { class: 'arrow-text', role: 'status' }, arrowText(model, null));
  const note = h('p', { class: 'none' });
  const title = h('h3', null, file.name, h('small', null, ` ${file.file}`));
  if (!file.lines) return [title, h('p', { class: 'missing' }, `No text: ${file.about}.`), knownLines(view, file.file), detail];
  const rows = [...new Set(model.linesOf(file.file).flatMap((f) => f.dependences))].filter(accept);
  const old = shownListing;
  const top = old && old.file === file.file ? old.listing.element.scrollTop : 0;
  const show = (at: number): void => lineDetail(view, detail, file.file, at, accept);
  const listing = new Listing({
    name: file.name, lines: file.lines, arrows: arrowsOf(rows, file.file), heat: heatOf(view, file.file, filter.heat),
    marks: (at) => marksOf(view, model.lineFacts(file.file, at)), line,
    choose: (at) => {
      history.replaceState(null, '', link('source', `${file.name}:${at}`, keysOf(view)));
      show(at);
    },
    over: (a: Arrow | null) => fill(status, arrowText(model, a)),
    tooMany: (n) => fill(note, n > 0 && `${count(n)} arrows with the smallest counts are not drawn: filters bring them back.`),
  });
  shownListing = { file: file.file, listing };
  if (line) show(line);
  else fill(detail, h('p', { class: 'none' }, 'Choose a line.'));
  requestAnimationFrame(() => {
    listing.element.scrollTop = top;
    if (line) listing.show(line);
    else if (!top) listing.element.scrollTop = Math.max(0, (firstLine(view, file.file) - 4) * 19);
  });
  return [title, file.about && h('p', { class: 'missing' }, file.about), filters(view, filter, file.file), status, note,
    h('div', { class: 'listing-and-detail' }, listing.element, detail)];
}

const keysOf = (view: View): Record<string, string> => {
  const { range: _, ...keys } = view.route.keys;
  return keys;
};

function firstLine(view: View, file: string): number {
  let first = Infinity;
  for (const heat of view.model.heat.values()) if (heat.file === file) first = Math.min(first, heat.line);
  return first === Infinity ? 1 : first;
}

export function source(view: View, into: HTMLElement): void {
  const { file, line } = placed(view);
  if (view.model.files.size === 0)
    return fill(into, heading('Source', 'No line of the program is known: was it compiled with -g?'));
  const focused = into.contains(document.activeElement) ? document.activeElement as HTMLElement : null;
  const name = focused?.getAttribute('name') ?? null;
  const value = focused?.getAttribute('value') ?? null;
  const inListing = !!focused?.classList.contains('listing');
  fill(into, heading('Source'), h('div', { class: 'source-panes' }, filesPane(view, file?.file ?? ''),
    h('div', { class: 'source-main' }, file ? fileView(view, file, line) : h('p', { class: 'missing' }, `No such file in this page: ${view.route.item}`))));
  restoreFocus(into, name, value, inListing);
}

// What had the focus was drawn anew.
function restoreFocus(into: HTMLElement, name: string | null, value: string | null, inListing: boolean): void {
  const again = inListing ? into.querySelector<HTMLElement>('.listing')
    : name ? into.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)
      : value ? into.querySelector<HTMLElement>(`.filters input[value="${CSS.escape(value)}"]`) : null;
  again?.focus();
  if (again instanceof HTMLInputElement && again.type === 'search') again.setSelectionRange(again.value.length, again.value.length);
}

