// SPDX-License-Identifier: GPL-2.0-or-later
// Elements. Whatever is data becomes text or the value of an attribute here; there is no way to markup.

export type Child = Node | string | number | null | undefined | false | Child[];
type Handler = (event: never) => void;
type Attribute = string | number | boolean | null | undefined | Handler;
export type Attributes = Record<string, Attribute>;

// What would not be seen, or would change the order of what stands around it, is written out.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
export function shown(text: string): string {
  return text.replace(UNSEEN, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

function append(to: Element, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const c of child) append(to, c);
  else if (child instanceof Node) to.appendChild(child);
  else to.appendChild(document.createTextNode(shown(String(child))));
}

function set(to: Element, name: string, value: Attribute): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === 'function') to.addEventListener(name, value as unknown as EventListener);
  else to.setAttribute(name, value === true ? '' : name === 'title' ? shown(String(value)).slice(0, 500) : String(value));
}

// `h('a', { href: '#races=1', class: 'name' }, 'race 1')`. Functions are handlers of the event with the key's name.
export function h(tag: string, attributes: Attributes | null, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const name in attributes ?? {}) set(element, name, (attributes as Attributes)[name]);
  append(element, children);
  return element;
}

export function svg(tag: string, attributes: Attributes, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) set(element, name, attributes[name]);
  append(element, children);
  return element;
}

export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

// A share of something as a bar; the number stands beside it.
export function bar(part: number, kind = ''): HTMLElement {
  const inner = h('span', { class: 'bar-inner' });
  inner.style.width = `${Math.max(0, Math.min(100, 100 * part))}%`;
  return h('span', { class: `bar ${kind}`, 'aria-hidden': 'true' }, inner);
}
