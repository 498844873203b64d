// SPDX-License-Identifier: GPL-2.0-or-later
// The timeline's columns, unpacked, and what of them lies in a window.

import { TimelineDocument } from './documents';
import { bytesOf, sums, unpack, upperBound } from './numbers';

export interface Level { width: number; lanes: { run: Uint8Array; wait: Uint8Array; hold: Uint8Array; operations: Uint8Array }[] }
export interface Box { kind: string; lane: number; begin: number; end: number; object: number; op: number; place: number }
export interface HandOver { from: number; to: number; left: number; got: number; object: number }

export class TimelineData {
  readonly turnLane: Float64Array;
  readonly turnEnd: Float64Array;
  readonly levels: Level[];
  private readonly boxBegin: Float64Array;
  private readonly boxLength: Float64Array;
  private readonly boxReach: Float64Array;   // the latest end of this box and those before
  private readonly boxColumns: { kind: Float64Array; lane: Float64Array; object: Float64Array; op: Float64Array; place: Float64Array };
  private readonly got: Float64Array;
  private readonly gotColumns: { from: Float64Array; to: Float64Array; length: Float64Array; object: Float64Array };

  constructor(readonly document: TimelineDocument) {
    const { turns, boxes, hand_overs } = document;
    this.turnLane = unpack(turns.lane, turns.count);
    this.turnEnd = sums(unpack(turns.length, turns.count));
    this.boxBegin = sums(unpack(boxes.begin, boxes.count));
    this.boxLength = unpack(boxes.length, boxes.count);
    let reach = 0;
    this.boxReach = this.boxBegin.map((begin, i) => (reach = Math.max(reach, begin + this.boxLength[i])));
    const column = (text: string): Float64Array => unpack(text, boxes.count);
    this.boxColumns = { kind: column(boxes.kind), lane: column(boxes.lane), object: column(boxes.object), op: column(boxes.op), place: column(boxes.place) };
    this.got = sums(unpack(hand_overs.got, hand_overs.count));
    const arrow = (text: string): Float64Array => unpack(text, hand_overs.count);
    this.gotColumns = { from: arrow(hand_overs.from), to: arrow(hand_overs.to), length: arrow(hand_overs.length), object: arrow(hand_overs.object) };
    this.levels = document.levels.map((l) => ({
      width: l.width, lanes: l.lanes.map((lane) => ({ run: bytesOf(lane.run), wait: bytesOf(lane.wait), hold: bytesOf(lane.hold), operations: bytesOf(lane.operations) })),
    }));
  }

  // Indices of turns that reach into the window.
  turnsIn(from: number, to: number): [number, number] {
    return [upperBound(this.turnEnd, from), Math.min(this.turnEnd.length, upperBound(this.turnEnd, to) + 1)];
  }
  boxRange(from: number, to: number): [number, number] {
    return [upperBound(this.boxReach, from), upperBound(this.boxBegin, to)];
  }
  box(i: number): Box {
    const c = this.boxColumns;
    return {
      kind: this.document.boxes.kinds[c.kind[i]], lane: c.lane[i], begin: this.boxBegin[i], end: this.boxBegin[i] + this.boxLength[i],
      object: c.object[i], op: c.op[i], place: c.place[i],
    };
  }
  handOverRange(from: number, to: number): [number, number] {
    return [upperBound(this.got, from - 1), upperBound(this.got, to)];
  }
  handOver(i: number): HandOver {
    const c = this.gotColumns;
    return { from: c.from[i], to: c.to[i], got: this.got[i], left: this.got[i] - c.length[i], object: c.object[i] };
  }
  // The finest level whose bins are no narrower than that.
  level(width: number): Level {
    return this.levels.find((l) => l.width >= width) ?? this.levels[this.levels.length - 1];
  }
}
