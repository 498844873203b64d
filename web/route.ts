// SPDX-License-Identifier: GPL-2.0-or-later
// What the address bar says: `#SECTION=ITEM&KEY=VALUE`, as `#source=lu.c:120&kind=RAW`. The range of the run to which
// everything is narrowed is a key of all sections: `range=FROM-TO`, in instructions.

export const SECTIONS = [
  'overview', 'source', 'advice', 'races', 'timeline', 'sharing', 'paths', 'sync', 'ranks', 'compare', 'about',
] as const;
export type SectionId = typeof SECTIONS[number];

export interface Route { section: SectionId; item: string; keys: Record<string, string> }
export type Range = [number, number];

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2F|2C|5B|5D|40)/g, (c) => decodeURIComponent(c));

export function parse(hash: string): Route {
  const route: Route = { section: 'overview', item: '', keys: {} };
  for (const part of hash.replace(/^#/, '').split('&').filter((p) => p)) {
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    const section = SECTIONS.find((s) => s === (name === 'src' ? 'source' : name));
    if (section) {
      route.section = section;
      route.item = value;
    } else {
      route.keys[name] = value;
    }
  }
  return route;
}

export function format(route: Route): string {
  const parts = [route.item ? `${route.section}=${encoded(route.item)}` : route.section as string];
  for (const key of Object.keys(route.keys).sort())
    if (route.keys[key] !== '') parts.push(`${encoded(key)}=${encoded(route.keys[key])}`);
  return `#${parts.join('&')}`;
}

export const current = (): Route => parse(location.hash);

export function rangeOf(route: Route): Range | null {
  const match = /^(\d+)-(\d+)$/.exec(route.keys.range ?? '');
  return match && Number(match[1]) < Number(match[2]) ? [Number(match[1]), Number(match[2])] : null;
}

// A link keeps the range.
export function link(section: SectionId, item = '', keys: Record<string, string> = {}): string {
  const range = current().keys.range;
  return format({ section, item, keys: range ? { range, ...keys } : keys });
}

export function go(section: SectionId, item = '', keys: Record<string, string> = {}): void {
  location.hash = link(section, item, keys);
}

// What the address says from now on, of what is already drawn so.
export function note(keys: Record<string, string>): void {
  const route = current();
  Object.assign(route.keys, keys);
  history.replaceState(null, '', format(route));
}

// The same view otherwise: no step back for each.
export function refine(keys: Record<string, string>, item?: string): void {
  const route = current();
  Object.assign(route.keys, keys);
  if (item !== undefined) route.item = item;
  const hash = format(route);
  if (hash === location.hash) return;
  history.replaceState(null, '', hash);
  window.dispatchEvent(new Event('refined'));
}
