import { at } from '#shared/roster/arrays.ts';
import type { Roster, RosterProblem } from './problem.ts';

/** Rows that people may work, each with its cost and the cover that it adds to. */
export class RowPool {
  count = 0;
  /** Person of each row. */
  owner = new Int32Array(1024);
  /** Cost of requests of each row. */
  cost = new Int32Array(1024);
  /** Shifts of row `r`: `day * (kinds + 1) + kind`, from `start[r]` up to `start[r + 1]`. */
  start = new Int32Array(1025);
  shifts = new Int32Array(32_768);
  private readonly numbers = new Map<string, number>();

  constructor(private readonly problem: RosterProblem) {}

  /** Adds the row that begins at `offset` of a roster, unless it is known. */
  add(person: number, row: Roster, offset: number): { row: number; isNew: boolean } {
    const { days, kinds, cellCost } = this.problem;
    const width = kinds.length + 1;
    const key = `${person}:${row.subarray(offset, offset + days).join()}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return { row: known, isNew: false };
    const number = this.count++;
    this.numbers.set(key, number);
    if (number >= this.owner.length) {
      this.owner = doubled(this.owner);
      this.cost = doubled(this.cost);
      this.start = doubled(this.start);
    }
    let end = at(this.start, number);
    while (end + days > this.shifts.length) this.shifts = doubled(this.shifts);
    let cost = 0;
    for (let day = 0; day < days; day++) {
      const kind = at(row, offset + day);
      cost += at(cellCost, (person * days + day) * width + kind);
      if (kind > 0) this.shifts[end++] = day * width + kind;
    }
    this.owner[number] = person;
    this.cost[number] = cost;
    this.start[number + 1] = end;
    return { row: number, isNew: true };
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
