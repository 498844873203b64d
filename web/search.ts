// SPDX-License-Identifier: GPL-2.0-or-later
// Search over functions, files, lines, objects, races and loops, from the head of the page.

import { fill, h } from './dom';
import { Model } from './model';
import { link } from './route';
import { loopItem } from './view';

interface Found { text: string; what: string; href: () => string; weight: number }
const MOST = 20;

function everything(model: Model): Found[] {
  const all: Found[] = [];
  for (const f of model.functions(null)) all.push({ text: f.name, what: `function, ${model.placeName(f)}`, href: () => link('source', model.placeName(f)), weight: 3 });
  for (const f of model.files.values()) all.push({ text: f.name, what: 'file', href: () => link('source', f.name), weight: 4 });
  for (const o of model.objects()) all.push({ text: o.name, what: 'object', href: () => link('sharing', o.name), weight: 2 });
  for (const r of model.races?.races ?? []) all.push({ text: `race ${r.id} on ${r.variable}`, what: 'race', href: () => link('races', String(r.id)), weight: 1 });
  for (const l of model.advice?.loops ?? []) all.push({ text: `loop ${loopItem(model, l)}`, what: l.verdict, href: () => link('advice', loopItem(model, l)), weight: 1 });
  for (const h of model.heat.values()) all.push({ text: model.placeName(h), what: 'line', href: () => link('source', model.placeName(h)), weight: 0 });
  return all;
}

// Those that begin with the text first.
function find(all: Found[], text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const score = (f: Found): number => {
    const at = f.text.toLowerCase().indexOf(wanted);
    return at < 0 ? -1 : (at === 0 ? 20 : 0) + (f.text.length === wanted.length ? 40 : 0) + f.weight;
  };
  return all.map((f) => ({ f, s: score(f) })).filter((x) => x.s >= 0).sort((a, b) => b.s - a.s || a.f.text.length - b.f.text.length).slice(0, MOST).map((x) => x.f);
}

export function search(model: Model): HTMLElement {
  let all: Found[] | null = null;
  let found: Found[] = [];
  let chosen = -1;
  const list = h('ul', { role: 'listbox', id: 'found', 'aria-label': 'Found', hidden: true });
  const input = h('input', {
    type: 'search', id: 'search', role: 'combobox', 'aria-label': 'Search functions, lines, objects', 'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list', autocomplete: 'off',
    placeholder: 'Search   /', input: () => look(), keydown: (e: KeyboardEvent) => key(e), blur: () => close(),
  }) as HTMLInputElement;

  const look = (): void => {
    found = find(all ??= everything(model), input.value);
    chosen = found.length ? 0 : -1;
    draw();
  };
  const draw = (): void => {
    const open = input.value.trim() !== '';
    list.hidden = !open;
    input.setAttribute('aria-expanded', String(open));
    if (chosen >= 0) input.setAttribute('aria-activedescendant', `found-${chosen}`);
    else input.removeAttribute('aria-activedescendant');
    fill(list, found.map((f, i) => h('li', { role: 'option', id: `found-${i}`, 'aria-selected': i === chosen ? 'true' : 'false', pointerdown: (e: Event) => { e.preventDefault(); choose(i); } },
      h('span', { class: 'name' }, f.text), h('small', null, f.what))), found.length === 0 && h('li', { role: 'option', class: 'none', 'aria-selected': 'false', 'aria-disabled': 'true' }, 'Nothing has this name.'));
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
  };
  const choose = (i: number): void => {
    if (!found[i]) return;
    location.hash = found[i].href();
    input.value = '';
    close();
    input.blur();
  };
  const key = (e: KeyboardEvent): void => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      if (found.length) chosen = (chosen + (e.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length;
      draw();
      e.preventDefault();
    } else if (e.key === 'Enter') {
      choose(chosen);
      e.preventDefault();
    } else if (e.key === 'Escape') {
      input.value = '';
      close();
      e.stopPropagation();
    }
  };
  return h('div', { class: 'search', role: 'search' }, input, list);
}
