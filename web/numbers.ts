// SPDX-License-Identifier: GPL-2.0-or-later
// Reads what report/html/packed_numbers.h writes, and writes numbers for people.

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// LEB128. Doubles hold what is counted: up to 2^53.
export function unpack(base64: string, count?: number): Float64Array {
  const bytes = bytesOf(base64);
  const numbers = new Float64Array(count ?? bytes.length);
  let used = 0;
  let value = 0;
  let unit = 1;
  for (let i = 0; i < bytes.length; i++) {
    value += (bytes[i] & 127) * unit;
    if (bytes[i] & 128) {
      unit *= 128;
      continue;
    }
    numbers[used++] = value;
    value = 0;
    unit = 1;
  }
  return numbers.subarray(0, used);
}

export function sums(differences: Float64Array): Float64Array {
  let sum = 0;
  return differences.map((d) => (sum += d));
}

// The first index in `sorted` whose value is greater than `value`.
export function upperBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const count = (n: number): string => n.toLocaleString('en-US');

export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  return `${percent >= 10 || percent === 0 ? percent.toFixed(0) : percent >= 0.1 ? percent.toFixed(1) : '<0.1'} %`;
}

export function short(n: number): string {
  for (const [unit, name] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const)
    if (n >= unit) return `${(n / unit).toFixed(n >= 100 * unit ? 0 : 1)}${name}`;
  return String(n);
}

export const several = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
