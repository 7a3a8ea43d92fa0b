import { at, randomFrom, realAt } from '#shared/roster/arrays.ts';
import type { RosterProblem } from './problem.ts';
import type { RowPool } from './row-pool.ts';

const EPSILON = 1e-6;
/** Columns that one look at all of them proposes. */
const CANDIDATES = 8;
/** Pivots after which the inverse is computed again, before rounding errors matter. */
const PIVOTS_PER_INVERSE = 1500;
/** Greatest addition to a required number: without it, most pivots would change no value. */
const PERTURBATION = 0.001;

/**
 * The linear relaxation of choosing one row of a pool for each person: least cost of rows and of people too few and too
 * many. Solved by the revised simplex method with an explicit inverse, from wherever the last solution was.
 *
 * Constraints: the cover `day * (kinds + 1) + kind`, then one for each person. Columns: a person too few in each cover,
 * a person too many in each cover, then the rows of the pool.
 */
export class MasterProgram {
  /** What one person more in a cover would save, then the cost that is due to each person. */
  readonly duals: Float64Array;
  /** Multiplications so far, a measure of work that does not depend on the machine. */
  work = 0;
  private readonly covers: number;
  private readonly size: number;
  private readonly required: Float64Array;
  /** Column that is basic in each constraint, and its value. */
  private readonly basic: Int32Array;
  private readonly value: Float64Array;
  /** Inverse of the basis, column by column. */
  private readonly inverse: Float64Array;
  private readonly direction: Float64Array;
  private readonly touched: Int32Array;
  private sinceInverse = 0;

  /** @param rows one row of each person to start with */
  constructor(
    private readonly problem: RosterProblem,
    private readonly pool: RowPool,
    rows: readonly number[],
  ) {
    const { days, kinds, people } = problem;
    this.covers = days * (kinds.length + 1);
    this.size = this.covers + people.length;
    this.duals = new Float64Array(this.size);
    this.basic = new Int32Array(this.size);
    this.value = new Float64Array(this.size);
    this.inverse = new Float64Array(this.size * this.size);
    this.direction = new Float64Array(this.size);
    this.touched = new Int32Array(this.size);
    const random = randomFrom(1);
    this.required = Float64Array.from({ length: this.size }, (_, index) =>
      index < this.covers ? at(problem.required, index) + PERTURBATION * random() : 1,
    );
    this.begin(rows);
  }

  /** Finds the best values; stops early when `mayGoOn` returns false. */
  solve(mayGoOn: () => boolean): void {
    if (this.sinceInverse > PIVOTS_PER_INVERSE) this.invert();
    this.computeDuals();
    for (;;) {
      const candidates = this.findCandidates();
      if (candidates.length === 0) return;
      for (const column of candidates) {
        const reduced = this.reducedCost(column);
        if (reduced < -EPSILON) this.pivot(column, reduced);
      }
      if (!mayGoOn()) return;
      if (this.sinceInverse <= PIVOTS_PER_INVERSE) continue;
      this.invert();
      this.computeDuals();
    }
  }

  private begin(rows: readonly number[]): void {
    const { covers, size, inverse, pool } = this;
    const slack = this.required.slice(0, covers);
    rows.forEach((row, person) => {
      for (let index = at(pool.start, row); index < at(pool.start, row + 1); index++) {
        const cover = at(pool.shifts, index);
        slack[cover] = realAt(slack, cover) - 1;
      }
      this.basic[covers + person] = 2 * covers + row;
      this.value[covers + person] = 1;
    });
    for (let cover = 0; cover < covers; cover++) {
      const isFew = realAt(slack, cover) >= 0;
      this.basic[cover] = isFew ? cover : covers + cover;
      this.value[cover] = Math.abs(realAt(slack, cover));
      inverse[cover * size + cover] = isFew ? 1 : -1;
    }
    rows.forEach((row, person) => {
      const column = (covers + person) * size;
      inverse[column + covers + person] = 1;
      for (let index = at(pool.start, row); index < at(pool.start, row + 1); index++) {
        const cover = at(pool.shifts, index);
        inverse[column + cover] = -realAt(inverse, cover * size + cover);
      }
    });
  }

  private costOf(column: number): number {
    const { covers, pool, problem } = this;
    if (column < covers) return at(problem.underCost, column);
    if (column < 2 * covers) return at(problem.overCost, column - covers);
    return at(pool.cost, column - 2 * covers);
  }

  private reducedCost(column: number): number {
    const { covers, duals, pool } = this;
    let cost = this.costOf(column);
    if (column < covers) return cost - realAt(duals, column);
    if (column < 2 * covers) return cost + realAt(duals, column - covers);
    const row = column - 2 * covers;
    for (let index = at(pool.start, row); index < at(pool.start, row + 1); index++)
      cost -= realAt(duals, at(pool.shifts, index));
    return cost - realAt(duals, covers + at(pool.owner, row));
  }

  /** The columns that lower the cost fastest, best first. */
  private findCandidates(): number[] {
    const { covers, pool } = this;
    const found: { column: number; reduced: number }[] = [];
    const columns = 2 * covers + pool.count;
    for (let column = 0; column < columns; column++) {
      const reduced = this.reducedCost(column);
      if (reduced < -EPSILON) found.push({ column, reduced });
    }
    this.work += at(pool.start, pool.count);
    found.sort((a, b) => a.reduced - b.reduced);
    return found.slice(0, CANDIDATES).map(({ column }) => column);
  }

  private computeDuals(): void {
    const { size, inverse, duals } = this;
    const costs = Float64Array.from(this.basic, (column) => this.costOf(column));
    for (let constraint = 0; constraint < size; constraint++) {
      let sum = 0;
      const column = constraint * size;
      for (let other = 0; other < size; other++)
        sum += realAt(costs, other) * realAt(inverse, column + other);
      duals[constraint] = sum;
    }
  }

  /** Computes `direction`: how basic values fall as the column's value rises. @returns how many are not 0 */
  private findDirection(column: number): number {
    const { covers, size, inverse, direction, touched, pool } = this;
    direction.fill(0);
    const add = (constraint: number, sign: number): void => {
      const start = constraint * size;
      for (let other = 0; other < size; other++)
        direction[other] = realAt(direction, other) + sign * realAt(inverse, start + other);
    };
    if (column < covers) add(column, 1);
    else if (column < 2 * covers) add(column - covers, -1);
    else {
      const row = column - 2 * covers;
      for (let index = at(pool.start, row); index < at(pool.start, row + 1); index++)
        add(at(pool.shifts, index), 1);
      add(covers + at(pool.owner, row), 1);
    }
    let count = 0;
    for (let constraint = 0; constraint < size; constraint++)
      if (Math.abs(realAt(direction, constraint)) > 1e-11) touched[count++] = constraint;
    return count;
  }

  private pivot(column: number, reduced: number): void {
    const { value, direction, touched } = this;
    const count = this.findDirection(column);
    let leaving = -1;
    let most = Number.POSITIVE_INFINITY;
    for (let index = 0; index < count; index++) {
      const constraint = at(touched, index);
      const slope = realAt(direction, constraint);
      if (slope < EPSILON) continue;
      const ratio = Math.max(0, realAt(value, constraint)) / slope;
      if (ratio > most + 1e-12) continue;
      if (ratio > most - 1e-12 && slope < realAt(direction, leaving)) continue;
      most = ratio;
      leaving = constraint;
    }
    if (leaving < 0) return;
    for (let index = 0; index < count; index++) {
      const constraint = at(touched, index);
      value[constraint] = realAt(value, constraint) - most * realAt(direction, constraint);
    }
    value[leaving] = most;
    this.basic[leaving] = column;
    this.sinceInverse++;
    this.replace(leaving, count, reduced);
  }

  /** Updates inverse and duals for a new basic column in a constraint, whose direction is known. */
  private replace(leaving: number, count: number, reduced: number): void {
    const { size, inverse, direction, touched, duals } = this;
    const slope = realAt(direction, leaving);
    for (let constraint = 0; constraint < size; constraint++) {
      const start = constraint * size;
      const factor = realAt(inverse, start + leaving) / slope;
      if (factor === 0) continue;
      duals[constraint] = realAt(duals, constraint) + reduced * factor;
      for (let index = 0; index < count; index++) {
        const other = start + at(touched, index);
        inverse[other] = realAt(inverse, other) - factor * realAt(direction, at(touched, index));
      }
      inverse[start + leaving] = factor;
      this.work += count;
    }
  }

  /** Computes the inverse and the values again from the basic columns. */
  private invert(): void {
    const { covers, size, inverse, required, value } = this;
    this.sinceInverse = 0;
    const columns = [...this.basic];
    const isTaken = new Uint8Array(size);
    inverse.fill(0);
    for (let constraint = 0; constraint < size; constraint++)
      inverse[constraint * size + constraint] = 1;
    for (const column of columns.filter((id) => id < 2 * covers)) {
      const cover = column % covers;
      inverse[cover * size + cover] = column < covers ? 1 : -1;
      this.basic[cover] = column;
      isTaken[cover] = 1;
    }
    for (const column of columns.filter((id) => id >= 2 * covers)) {
      const count = this.findDirection(column);
      let best = -1;
      for (let index = 0; index < count; index++) {
        const constraint = at(this.touched, index);
        if (isTaken[constraint] === 1) continue;
        const slope = Math.abs(realAt(this.direction, constraint));
        if (best < 0 || slope > Math.abs(realAt(this.direction, best))) best = constraint;
      }
      if (best < 0) continue;
      isTaken[best] = 1;
      this.basic[best] = column;
      this.replace(best, count, 0);
    }
    value.fill(0);
    for (let constraint = 0; constraint < size; constraint++) {
      const amount = realAt(required, constraint);
      for (let other = 0; other < size; other++)
        value[other] = realAt(value, other) + amount * realAt(inverse, constraint * size + other);
    }
  }
}
