import { at } from '#shared/roster/arrays.ts';
import { countCover, coverCost, type Roster, type RosterProblem, softCost } from './problem.ts';

/** A roster with its cover and cost, changed by whole rows or parts of them. */
export class CoverState {
  readonly roster: Roster;
  readonly cover: Int32Array;
  cost: number;

  constructor(
    private readonly problem: RosterProblem,
    start: Roster,
  ) {
    this.roster = start.slice();
    this.cover = countCover(problem, start);
    this.cost = softCost(problem, start);
  }

  /** Takes a person off all shifts of some days, without a cost for it: `addRow` puts the person back. */
  removeRow(person: number, first: number, end: number): void {
    this.changeRow(person, first, end, -1);
  }

  addRow(person: number, first: number, end: number): void {
    this.changeRow(person, first, end, 1);
  }

  private changeRow(person: number, first: number, end: number, change: 1 | -1): void {
    const { days, kinds, cellCost } = this.problem;
    const width = kinds.length + 1;
    for (let day = first; day < end; day++) {
      const cell = person * days + day;
      const kind = at(this.roster, cell);
      const index = day * width + kind;
      let cost = at(cellCost, cell * width + kind);
      if (kind > 0) {
        if (change < 0) this.cover[index] = at(this.cover, index) - 1;
        cost += coverCost(this.problem, index, at(this.cover, index));
        if (change > 0) this.cover[index] = at(this.cover, index) + 1;
      }
      this.cost += change * cost;
    }
  }

  /** Prices of a person's days beside everybody else; call it between `removeRow` and `addRow`. */
  priceRow(person: number, first: number, end: number, prices: Float64Array): void {
    const { days, kinds, cellCost } = this.problem;
    const width = kinds.length + 1;
    for (let index = first * width; index < end * width; index++) {
      const kind = index % width;
      const cover = kind > 0 ? coverCost(this.problem, index, at(this.cover, index)) : 0;
      prices[index] = at(cellCost, person * days * width + index) + cover;
    }
  }
}
