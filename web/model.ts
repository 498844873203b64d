// SPDX-License-Identifier: GPL-2.0-or-later
// The documents, joined: what is known of each line, of each object; names of files as short as they can be.

import * as d from './documents';
import { Range } from './route';
import { unpack } from './numbers';

export interface Heat { file: string; line: number; functions: Map<string, number>; instructions: number; bins: Float64Array[] }

// Everything that names a line. Places in arrays are those of the documents.
export interface LineFacts {
  file: string; line: number;
  dependences: d.Dependence[]; races: d.Race[]; loops: d.Loop[]; passed: d.Passed[]; patterns: d.PatternLine[];
  waits: { object: d.SyncObject }[]; sections: { lock: d.LockSections; line: d.SectionLine }[]; barriers: d.Barrier[];
  falseMisses: number;
}

export interface ObjectFacts {
  name: string;
  variables: d.SharedVariable[]; lines: d.SharedLine[]; races: d.Race[]; dependences: d.Dependence[];
  carried: { loop: d.Loop; carried: d.Carried }[]; sync: d.SyncObject[];
}

export interface SourceFile { file: string; name: string; lines: string[] | null; instructions: number; about: string }

// "a[5][0]", "a[…][…]" and "a" are the same object; "queue.lock" is its own.
export const objectName = (name: string): string => name.replace(/\[[^\]]*\]/g, '').trim() || name;

export const loopId = (l: d.Loop): string => `${l.place.file}:${l.place.line}:${l.place.function ?? ''}`;

export class Model {
  readonly report: d.ReportDocument;
  readonly dependences: d.Dependences | null;
  readonly advice: d.Advice | null;
  readonly races: d.Races | null;
  readonly sharing: d.Sharing | null;
  readonly sync: d.Sync | null;
  readonly paths: d.Paths | null;
  readonly patterns: d.Patterns | null;
  readonly stats: d.Stats | null;
  readonly diff: d.Diff | null;
  readonly mpi: d.Mpi | null;
  readonly timeline: d.TimelineDocument;
  readonly nests: { thread: number; nest: d.Nest }[];
  readonly heat = new Map<string, Heat>();
  readonly files = new Map<string, SourceFile>();
  private readonly facts = new Map<string, LineFacts>();
  private readonly things = new Map<string, ObjectFacts>();
  private readonly names = new Map<string, string>();
  private readonly byName = new Map<string, string>();

  constructor(readonly documents: d.Documents) {
    this.report = documents.get<d.ReportDocument>('report')!;
    this.dependences = documents.get('dependences');
    this.advice = documents.get('advice');
    this.races = documents.get('races');
    this.sharing = documents.get('sharing');
    this.sync = documents.get('sync');
    this.paths = documents.get('paths');
    this.patterns = documents.get('patterns');
    this.stats = documents.get('stats');
    this.diff = documents.get('diff');
    this.mpi = documents.get('mpi');
    this.timeline = documents.get<d.TimelineDocument>('timeline')!;
    this.nests = documents.nests();
    this.readHeat();
    this.readFacts();
    this.readSections();
    this.readObjects();
    this.nameFiles();
    this.readSources(documents.get<d.Sources>('sources')!);
  }

  // --- files and lines

  nameOf(file: string): string {
    return this.names.get(file) ?? (file || 'no source');
  }
  fileNamed(name: string): string | undefined {
    return this.byName.get(name) ?? [...this.names.keys()].find((f) => f === name || f.endsWith(`/${name}`));
  }
  placeName(p: { file: string; line: number }): string {
    return p.line ? `${this.nameOf(p.file)}:${p.line}` : this.nameOf(p.file);
  }
  linesOf(file: string): LineFacts[] {
    return [...this.facts.values()].filter((f) => f.file === file);
  }
  lineFacts(file: string, line: number): LineFacts | undefined {
    return this.facts.get(`${file}:${line}`);
  }
  hasSource(file: string): boolean {
    return this.files.has(file);
  }

  // How many instructions were executed for the line, in the range if there is one (by whole bins).
  instructionsOf(file: string, line: number, range: Range | null): number {
    const heat = this.heat.get(`${file}:${line}`);
    return heat ? this.instructionsIn(heat, range) : 0;
  }
  instructionsIn(heat: Heat, range: Range | null): number {
    if (!range) return heat.instructions;
    const { width } = this.timeline.heat;
    let sum = 0;
    for (const bins of heat.bins)
      for (let i = 0, bin = 0; i + 1 < bins.length; i += 2) {
        bin += bins[i];
        if ((bin + 1) * width > range[0] && bin * width < range[1]) sum += bins[i + 1];
        bin++;
      }
    return sum;
  }
  // Whether the line was executed in the range; yes if nothing is known of it.
  isIn(file: string, line: number, range: Range | null): boolean {
    if (!range) return true;
    const heat = this.heat.get(`${file}:${line}`);
    return !heat || this.instructionsIn(heat, range) > 0;
  }
  // Functions with instructions of their own in the range, the greatest first.
  functions(range: Range | null): { name: string; file: string; line: number; instructions: number }[] {
    const all = new Map<string, { name: string; file: string; line: number; instructions: number }>();
    for (const l of this.timeline.heat.lines) {
      const key = `${l.file}\0${l.function}`;
      const f = all.get(key) ?? { name: l.function, file: l.file, line: l.line, instructions: 0 };
      const whole = this.heat.get(`${l.file}:${l.line}`)!;
      const mine = (whole.functions.get(l.function) ?? 0) / (whole.instructions || 1);
      f.instructions += range ? Math.round(this.instructionsIn(whole, range) * mine) : l.instructions;
      f.line = Math.min(f.line, l.line);
      all.set(key, f);
    }
    return [...all.values()].filter((f) => f.instructions > 0).sort((a, b) => b.instructions - a.instructions);
  }

  // --- objects

  object(name: string): ObjectFacts | undefined {
    return this.things.get(objectName(name));
  }
  objects(): ObjectFacts[] {
    return [...this.things.values()];
  }

  private at(p: { file?: string; line: number } | null | undefined): LineFacts | null {
    if (!p || !p.file) return null;
    const key = `${p.file}:${p.line}`;
    let facts = this.facts.get(key);
    if (!facts) {
      facts = {
        file: p.file, line: p.line, dependences: [], races: [], loops: [], passed: [], patterns: [], waits: [],
        sections: [], barriers: [], falseMisses: 0,
      };
      this.facts.set(key, facts);
    }
    return facts;
  }
  private thing(name: string | null): ObjectFacts | null {
    if (!name) return null;
    const key = objectName(name);
    let facts = this.things.get(key);
    if (!facts) {
      facts = { name: key, variables: [], lines: [], races: [], dependences: [], carried: [], sync: [] };
      this.things.set(key, facts);
    }
    return facts;
  }

  private readHeat(): void {
    for (const l of this.timeline.heat.lines) {
      const key = `${l.file}:${l.line}`;
      const heat: Heat = this.heat.get(key) ?? { file: l.file, line: l.line, functions: new Map(), instructions: 0, bins: [] };
      heat.functions.set(l.function, (heat.functions.get(l.function) ?? 0) + l.instructions);
      heat.instructions += l.instructions;
      heat.bins.push(unpack(l.bins));
      this.heat.set(key, heat);
    }
  }
  private readFacts(): void {
    const add = <K extends 'dependences' | 'races' | 'loops' | 'passed' | 'patterns'>(
      places: ({ file?: string; line: number } | null)[], member: K, what: LineFacts[K][number],
    ): void => {
      const seen = new Set<LineFacts>();
      for (const p of places) {
        const facts = this.at(p);
        if (!facts || seen.has(facts)) continue;
        seen.add(facts);
        (facts[member] as LineFacts[K][number][]).push(what);
      }
    };
    for (const r of this.dependences?.dependences ?? []) add([r.source, r.target], 'dependences', r);
    for (const r of this.races?.races ?? []) add([r.first, r.second], 'races', r);
    for (const l of this.advice?.loops ?? []) add([l.place], 'loops', l);
    for (const p of this.sharing?.passed ?? []) add([p.from, p.to], 'passed', p);
    for (const p of this.patterns?.lines ?? []) add([p], 'patterns', p);
    const objects = new Map<string, d.SyncObject>();
    for (const o of this.sync?.objects ?? []) objects.set(o.name, o);
    for (const row of this.sync?.chart ?? []) {
      const facts = this.at(row.at);
      const object = row.object ? objects.get(row.object) : undefined;
      if (facts && object && !facts.waits.some((w) => w.object === object)) facts.waits.push({ object });
    }
  }
  private readSections(): void {
    for (const lock of this.sync?.sections ?? []) for (const line of lock.lines) this.at(line.at)?.sections.push({ lock, line });
    for (const barrier of this.sync?.barriers ?? [])
      for (const at of barrier.at) {
        const facts = this.at(at);
        if (facts && !facts.barriers.includes(barrier)) facts.barriers.push(barrier);
      }
  }
  private readObjects(): void {
    const add = <T>(list: T[] | undefined, what: T): void => {
      if (list && !list.includes(what)) list.push(what);
    };
    for (const v of this.sharing?.variables ?? []) add(this.thing(v.variable)?.variables, v);
    for (const l of this.sharing?.lines ?? []) for (const p of l.parts) add(this.thing(p.name)?.lines, l);
    for (const r of this.races?.races ?? []) add(this.thing(r.variable)?.races, r);
    for (const r of this.dependences?.dependences ?? [])
      for (const o of r.objects ?? []) add(this.thing(o.name)?.dependences, r);
    for (const loop of this.advice?.loops ?? [])
      for (const carried of loop.carried) this.thing(carried.object)?.carried.push({ loop, carried });
    for (const o of this.sync?.objects ?? []) add(this.thing(o.name)?.sync, o);
    this.readFalseMisses();
  }
  // A line of memory with misses for nothing counts where its variables are written.
  private readFalseMisses(): void {
    for (const thing of this.things.values()) {
      const misses = thing.lines.reduce((sum, l) => sum + l.false_misses, 0);
      if (misses === 0) continue;
      for (const r of thing.dependences)
        for (const end of [r.source, r.target]) {
          const facts = this.at(end);
          if (facts && r.threads) facts.falseMisses = Math.max(facts.falseMisses, misses);
        }
      for (const r of thing.races)
        for (const end of [r.first, r.second]) {
          const facts = this.at(end);
          if (facts) facts.falseMisses = Math.max(facts.falseMisses, misses);
        }
    }
  }

  // The last parts of each path that tell it from the others.
  private nameFiles(): void {
    const paths = new Set<string>([...this.facts.values(), ...this.heat.values()].map((p) => p.file));
    for (const r of this.races?.races ?? [])
      for (const side of [r.first, r.second]) for (const f of side.stack) paths.add(f.file);
    const pairs = [...this.mpi?.late ?? [], ...this.mpi?.mismatches ?? []];
    for (const p of [...pairs, ...this.mpi?.messages.unmatched ?? [], ...this.mpi?.deadlock ?? [], ...this.mpi?.unfinished ?? []]) paths.add(p.file);
    for (const p of pairs) paths.add(p.peer_file);
    let open = [...paths].filter((p) => p);
    for (let parts = 1; open.length > 0; parts++) {
      const by = new Map<string, string[]>();
      for (const path of open) {
        const name = path.split('/').slice(-parts).join('/');
        by.set(name, [...(by.get(name) ?? []), path]);
      }
      open = [];
      for (const [name, of] of by)
        if (of.length === 1 || of.every((p) => p.split('/').length <= parts)) this.setName(of, name);
        else open.push(...of);
    }
  }
  private setName(paths: string[], name: string): void {
    for (const path of paths) {
      const own = this.byName.has(name) ? path : name;
      this.names.set(path, own);
      this.byName.set(own, path);
    }
  }
  private readSources(sources: d.Sources): void {
    const totals = new Map<string, number>();
    for (const h of this.heat.values()) totals.set(h.file, (totals.get(h.file) ?? 0) + h.instructions);
    for (const s of sources.files) {
      const about = s.text === null
        ? s.too_large ? 'too large to be put into the page' : sources.texts ? 'the file was not found; -I DIR and --path-map OLD=NEW tell where sources are'
          : 'left out by --no-sources'
        : s.newer ? 'the file was changed after the program was linked: lines may be wrong'
          : s.read_from ? `read from ${s.read_from}` : '';
      const lines = s.text === null ? null : s.text.replace(/\n$/, '').split('\n');
      this.files.set(s.file, {
        file: s.file, name: this.nameOf(s.file), lines, instructions: totals.get(s.file) ?? 0, about,
      });
    }
  }
}
