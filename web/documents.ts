// SPDX-License-Identifier: GPL-2.0-or-later
// The documents in the page, as the commands wrote them. Only members that the page reads are named; docs/ has all.
// What is `?` may be missing in documents of other versions.

export interface Place { file: string; line: number; function?: string }
export interface Scope { modules: string; functions: string[]; files: string[]; left_out: number }

export interface DependenceEnd { file: string; line: number; code: string }
// Where a dependence was first: the target's access.
export interface First {
  event: number; thread: number; block: number; instructions: number; address: number; bytes: number;
  at: { ip: number; file: string; line: number; function: string };
}
export interface Dependence {
  kind: string; class: string; ancestor: string; source: DependenceEnd; target: DependenceEnd; count: number;
  threads?: [number, number];
  objects?: { name: string | null; kind: string }[];
  first?: First;
  carried?: { loop: Place; least: number; greatest: number }[];
}
export interface Dependences { schema: string; program: string; scope: Scope; dependences: Dependence[]; rows_left_out?: number }

export interface CarriedEnd { ip: number; call: boolean; line: number; file?: string }
export interface CarriedRow {
  kind: string; source: CarriedEnd; target: CarriedEnd; count: number; distances: number[]; least: number; greatest: number;
}
export interface Carried {
  class: string; object: string; note: string; clause: string; edit: string; rows: CarriedRow[];
}
// Of a loop that teams of a parallel runtime execute.
export interface LoopTeam {
  shared: boolean; schedule: string; as_asked: boolean; threads: number; regions: number; region: Place;
  instructions: number; exclusive: number; under_one: number; imbalance: number;
  shares: { thread: number; chunks: number; iterations: number; instructions: number }[];
  exclusions: { kind: string; place: Place; instructions: number }[];
}
export interface Loop {
  place: Place; last_line: number; depth: number; verdict: string; small: boolean; irregular: boolean; weak: boolean;
  instances: number; iterations: number; instructions: number; longest_iteration: number; interval: number;
  speed_up: number; run_speed_up: number; pragma: string | null; exit_lines: number[]; unseen: unknown[];
  carried: Carried[]; in_regions?: number; team?: LoopTeam;
  [key: string]: unknown;
}
export interface Advice {
  schema: string; program: string; instructions: number; threads: number; runs: number; scope: Scope; loops: Loop[];
  callers: unknown[]; loops_left_out?: number;
}

export interface Frame { function: string; file: string; line: number; inlined: boolean }
// Frames of others than the program that stand together: what they are frames of.
export interface FoldedFrames { first: number; frames: number; of: string }
export interface RaceSide {
  thread: number; access: string; file: string; line: number; function: string; stack: Frame[]; folded?: FoldedFrames[];
}
export interface Race {
  id: number; variable: string; variables?: string[];
  location: { kind: string; name: string; type: string | null; allocated?: Frame[]; folded?: FoldedFrames[] };
  first: RaceSide; second: RaceSide; instances: number; judged: number;
  locks: { first: string[]; second: string[] };
  labels: { status: string; of: number | null; schedulable: boolean | null; [key: string]: unknown };
  reason: string[]; notes: string[]; kind?: string;
}
export interface Races { schema: string; program: string; scope: Scope; races: Race[]; summary: Record<string, unknown> }

export interface Pair { from: number; to: number; count: number }
export interface SharedVariable {
  variable: string; kind: string; threads: { thread: number; loads: number; stores: number }[]; hand_overs: number;
  pairs: Pair[]; write_runs: number; repeated_stores: number; read_between: number; protocol: string;
}
export interface LinePart { begin: number; end: number; name: string | null; readers: number[]; writers: number[] }
export interface SharedLine {
  address: number; misses: number; false_misses: number;
  threads: { thread: number; loads: number; stores: number; misses: number; false_misses: number }[];
  upgrades: number; updates: number; protocol: string; parts: LinePart[]; fix: string | null;
  may?: { true: number; false: number; threads?: number[] };
}
export interface Passed { from: Place; to: Place; bytes: number }
export interface Sharing {
  schema: string; program: string; scope: Scope; summary: Record<string, number>; variables: SharedVariable[];
  lines: SharedLine[]; passed: Passed[];
}

export interface SyncObject {
  kind: string; name: string; address: number; acquisitions: number; contended: number; failed: number; hand_overs: number;
  pairs: Pair[]; threads: number[]; insns_held: number;
  longest: { insns: number; thread: number; begin: number; end: number; at: Place } | null;
  [key: string]: unknown;
}
export interface ChartRow {
  what: string; event: number; thread: number; insns: number; number?: number; op?: string; object?: string; other?: number;
  failed?: boolean; waits?: boolean; held_by?: number[]; at?: Place; got: { kind: string; from: number[] }[];
  value?: number; strand?: number; from_strands?: number[];
}
// A lane of the chart of a program with a parallel runtime.
export interface StrandLane { number: number; kind: string; name: string; count: number; at?: Place }
// Of a line that gets a lock.
export interface SectionLine {
  at: Place; times: number; shared: number; contended: number; insns_held: number; longest: number; would_wait: number;
  insns_would_wait: number; behind: { at: Place; times: number; insns: number }[];
}
export interface LockSections { kind: string; name: string; address: number; lines: SectionLine[] }
export interface Barrier {
  kind: string; name: string; address: number; mutex?: string; rounds: number; threads_least: number; threads_most: number;
  insns_would_wait: number; last: { thread: number; rounds: number }[]; at: (Place & { rounds: number })[];
}
export interface Work extends Place {
  kind: string; schedule: string; chunk: number; ordered: boolean; runs: number;
  threads: { thread: number; parts: number; iterations: number; insns: number }[];
}
export interface Exclusion extends Place { kind: string; sections: number; insns: number }
export interface Region extends Place {
  kind: string; runs: number; barriers: number; threads: { thread: number; insns: number; waited: number; tasks: number }[];
  works: Work[]; exclusions: Exclusion[];
}
export interface Sync {
  schema: string; program: string; scope: Scope; events: number; threads: number[]; objects: SyncObject[];
  chart: ChartRow[]; left_out: number; rerun?: { ended: boolean; insns: number }; sections?: LockSections[];
  barriers?: Barrier[]; strands?: StrandLane[];
  regions?: Region[];
}

export interface PathInsn { ip: number; file: string; line: number; function: string; text: string }
export interface HotPath {
  instructions: number; percent: number; trips: number; length: number; library_instructions: number; thread?: number;
  blocks: { addr: number; insns: PathInsn[] }[];
}
export interface Paths {
  schema: string; program: string; scope: Scope; instructions: number; paths_executed: number; paths_different: number;
  paths: HotPath[];
}

export type NestItem = string | NestLoop;
export interface NestLoop {
  begin: number; length: number; count: number; function?: string; file?: string; lines?: [number, number];
  body: NestItem[]; left_out?: number;
}
export interface Nest {
  schema: string; input: string; algorithm: string; length: number; different: number; compressed_length: number;
  outermost_loops: number; loops: number; major: { structure: string } | null; nest: NestItem[]; left_out?: number;
}

export interface PatternInsn {
  ip: number; store: boolean; width: number; accesses: number; strides: { stride: number; count: number }[];
  footprint_bytes: number; footprint_lines: number; advice: { kind: string; text: string }[];
}
export interface PatternLine {
  file: string; line: number; function: string; accesses: number; frame_accesses: number; footprint_bytes: number;
  footprint_lines: number; library_accesses: number; instructions: PatternInsn[];
}
export interface Patterns { schema: string; program: string; scope: Scope; lines: PatternLine[]; lines_left_out?: number }

export interface Stats {
  schema: string; program: string; format: number; status: string; bytes: number; totals: Record<string, number>;
  end?: Record<string, number>; ended?: string; [key: string]: unknown;
}

export interface Lane {
  thread: number; begin: number; end: number; instructions: number; operations: number;
  clock: number; idle: number; wait: number; hold: number; task: number; region: number;
}
export interface Level { width: number; lanes: { run: string; wait: string; hold: string; operations: string }[] }
export interface TimelineDocument {
  schema: string; program: string; unit: string; instructions: number; lanes: Lane[]; levels: Level[];
  turns: { count: number; lane: string; length: string };
  boxes: {
    count: number; kinds: string[]; kind: string; lane: string; begin: string; length: string; object: string; op: string;
    place: string;
  };
  hand_overs: { count: number; from: string; to: string; got: string; length: string; object: string };
  idle: { object: number; instructions: number }[];
  rows: { count: number; at: string; event: string };
  objects: { kind: string; name: string }[]; operations: string[]; places: Place[];
  heat: { width: number; lines: { file: string; line: number; function: string; instructions: number; bins: string }[] };
  left_out: number;
}

export interface SourceDocument { file: string; text: string | null; read_from?: string; newer: boolean; too_large: boolean }
export interface Sources { schema: string; texts: boolean; files: SourceDocument[] }

export interface CommandNote { words: string[]; status: number; document: string | null; messages: string[] }
export interface ReportDocument {
  schema: string; version: string; program: string; traces: string[]; command: string[]; header: [string, string][];
  commands: CommandNote[];
}

export interface DiffRun { trace: string; program: string; command: string; compilers?: string[] }
export interface Executed {
  kind: string; function: string; file: string; line: number; old_file?: string; old_line?: number; old: number; new: number;
}
export interface Step { file: string; line: number; function: string; block: number; enters?: unknown }
export interface Divergence {
  thread: number; equal: number; schedule: boolean; old_block: number | null; new_block: number | null; old: Step | null;
  new: Step | null; old_last: Step | null; new_last: Step | null;
}
export interface CarriedChange { loop: Place; object: string; class: string; blocks: boolean }
export interface VerdictChange { loop: Place; old_file: string; old_line: number; old: string; new: string; worse: boolean }
export interface RaceChange {
  variable: string; kind: string; status: string; instances: number;
  first: Place & { thread: number; access: string }; second: Place & { thread: number; access: string };
}
export interface Diff {
  schema: string; old: DiffRun; new: DiffRun; same_binary: boolean; same_build: boolean; lost_sources: string[];
  not_compared: { part: string; why: string }[]; differs: string[];
  control: { only_old: Executed[]; only_new: Executed[]; counts: Executed[]; divergence: Divergence[] };
  dependences: { came: Dependence[]; went: Dependence[] };
  carried: { came: CarriedChange[]; went: CarriedChange[]; verdicts: VerdictChange[] };
  races: { new: RaceChange[]; gone: RaceChange[] }; sizes: Record<string, { old: number; new: number }>;
}

export type MpiItem = string | { count: number; body: MpiItem[] };
export interface MpiClass { ranks: string; calls: number; nest: MpiItem[] }
export interface RankItem { ranks: string; call?: string; count?: number; body?: RankItem[] }
export interface MpiUnmatched {
  rank: number; call: string; send: boolean; peer: number | null; tag: number | null; bytes: number; communicator: string;
  file: string; line: number; hint: string;
}
export interface MpiCell { from: number; to: number; messages: number; bytes: number; one_sided?: number; one_sided_bytes?: number }
export interface MpiLate {
  kind: string; rank: number; peer: number; count: number; instructions: number; call: string; file: string; line: number;
  peer_call: string; peer_file: string; peer_line: number;
}
export interface MpiMismatch {
  rank: number; call: string; file: string; line: number; peer: number; peer_call: string; peer_file: string; peer_line: number;
}
export interface MpiWaiting { rank: number; call: string; any: boolean; file: string; line: number; waits_for: number[] }
export interface Mpi {
  schema: string; program: string; ranks: number; length: number; waited: number; forced: number; classes: MpiClass[];
  merged: RankItem[]; messages: { matched: number; guessed: number; unmatched: MpiUnmatched[] }; matrix: MpiCell[];
  late: MpiLate[]; mismatches: MpiMismatch[]; deadlock: MpiWaiting[]; unfinished: MpiWaiting[];
}

export class Documents {
  private readonly all: Record<string, unknown>;

  constructor(text: string) {
    this.all = JSON.parse(text) as Record<string, unknown>;
  }
  // The document whose schema has this name, in whatever version; null: the command gave none.
  get<T>(name: string): T | null {
    for (const key of Object.keys(this.all))
      if (key.startsWith(`cdrgrind.${name}/`) && !key.includes(' ')) return this.all[key] as T;
    return null;
  }
  nests(): { thread: number; nest: Nest }[] {
    return Object.keys(this.all)
      .filter((key) => key.startsWith('cdrgrind.loops/'))
      .map((key) => ({ thread: Number(key.split(' thread ')[1] ?? 1), nest: this.all[key] as Nest }));
  }
}
