// SPDX-License-Identifier: GPL-2.0-or-later
// The page: reads the documents, shows the section that the address bar names.

import { about } from './about';
import { advice } from './advice';
import { compare } from './compare';
import { Documents } from './documents';
import { fill, h, shown } from './dom';
import { Model } from './model';
import { count } from './numbers';
import { overview } from './overview';
import { paths } from './paths';
import { races } from './races';
import { ranks } from './ranks';
import { current, format, link, rangeOf, refine, SectionId } from './route';
import { search } from './search';
import { sharing } from './sharing';
import { source } from './source';
import { sync } from './sync';
import { timeline } from './timeline';
import { Section } from './view';

interface Part { id: SectionId; name: string; draw: Section; count?: (m: Model) => number }

const PARTS: Part[] = [
  { id: 'overview', name: 'Overview', draw: overview },
  { id: 'source', name: 'Source', draw: source },
  { id: 'advice', name: 'Advice', draw: advice, count: (m) => (m.advice?.loops ?? []).filter((l) => l.run_speed_up > 1.005 && l.verdict !== 'unseen').length },
  { id: 'races', name: 'Races', draw: races, count: (m) => (m.races?.races ?? []).filter((r) => r.labels.status !== 'artifact').length },
  { id: 'timeline', name: 'Timeline', draw: timeline },
  { id: 'sharing', name: 'Sharing', draw: sharing, count: (m) => (m.sharing?.lines ?? []).filter((l) => l.false_misses > 0).length },
  { id: 'paths', name: 'Paths and loops', draw: paths },
  { id: 'sync', name: 'Synchronisation', draw: sync },
  { id: 'ranks', name: 'Ranks', draw: ranks, count: (m) => (m.mpi ? m.mpi.messages.unmatched.length + m.mpi.mismatches.length + m.mpi.deadlock.length : 0) },
  { id: 'compare', name: 'Compared', draw: compare, count: (m) => m.diff?.differs.length ?? 0 },
  { id: 'about', name: 'About this trace', draw: about },
];

function start(): void {
  const model = new Model(new Documents(document.getElementById('cdrgrind-data')!.textContent ?? '{}'));
  const asked = (command: string): boolean => model.report.commands.some((c) => c.words[0] === command);
  const parts = PARTS.filter((p) => (p.id !== 'compare' || model.diff) && (p.id !== 'ranks' || asked('mpi')));
  const sections = new Map(parts.map((p) => [p.id, h('section', { id: p.id, hidden: true, 'aria-label': p.name })]));
  const nav = h('nav', { 'aria-label': 'Sections', class: 'sections' });
  const narrowed = h('div', { class: 'narrowed', role: 'status' });
  const main = h('main', null, [...sections.values()]);
  document.title = `${shown(model.report.program).slice(0, 80)} – cdrgrind`;
  document.body.append(h('a', { class: 'skip', href: '#overview', click: (e: Event) => { e.preventDefault(); main.querySelector<HTMLElement>('section:not([hidden]) h2')?.focus(); } }, 'To the content'),
    h('header', { class: 'page-head' }, h('div', { class: 'title' }, h('h1', null, 'cdrgrind'), h('span', { class: 'name', title: model.report.program }, model.report.program.replace(/^.*\/(?=.)/s, ''))), nav, search(model)), narrowed, main);

  let last: SectionId | null = null;
  const draw = (): void => {
    const route = current();
    const part = parts.find((p) => p.id === route.section) ?? parts[0];
    const range = rangeOf(route);
    fill(nav, parts.map((p) => {
      const n = p.count?.(model) ?? 0;
      return h('a', { href: link(p.id), 'aria-current': p.id === part.id ? 'page' : null }, p.name, n > 0 && h('span', { class: 'badge' }, count(n)));
    }));
    fill(narrowed, range && [`Instructions ${count(range[0])} to ${count(range[1])} of ${count(model.timeline.instructions)} `,
      h('button', { click: () => refine({ range: '' }) }, 'Whole run'), part.id !== 'timeline' && h('a', { href: link('timeline') }, 'On the timeline')]);
    narrowed.hidden = !range;
    for (const [id, element] of sections) {
      element.hidden = id !== part.id;
      if (id !== part.id) element.replaceChildren();
    }
    part.draw({ model, route: { ...route, section: part.id }, range }, sections.get(part.id)!);
    if (last !== null && last !== part.id) {
      window.scrollTo(0, 0);
      sections.get(part.id)!.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    }
    if (route.item && part.id !== 'source') sections.get(part.id)!.querySelector('tr.opened')?.scrollIntoView({ block: 'start' });
    last = part.id;
  };

  window.addEventListener('hashchange', draw);
  window.addEventListener('refined', draw);
  document.addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || target.matches('input, select, textarea')) return;
    const n = Number(e.key);
    if (e.key === '/') document.getElementById('search')!.focus();
    else if (e.key === 'Escape' && rangeOf(current())) refine({ range: '' });
    else if (n >= 1 && n <= parts.length) location.hash = format({ section: parts[n - 1].id, item: '', keys: current().keys.range ? { range: current().keys.range } : {} });
    else return;
    e.preventDefault();
  });
  draw();
  performance.mark('ready');
  document.documentElement.dataset.ready = '1';
}

start();
