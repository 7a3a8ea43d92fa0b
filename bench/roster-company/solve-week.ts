// The public benchmark's solver on a company's week, with what of the product's rules and wishes its problem can say.
import { at, realAt } from '#shared/roster/arrays.ts';
import { effectiveRoster } from '#shared/roster/effective.ts';
import type { RosterInput } from '#shared/roster/input.ts';
import { compileModel, type RosterModel } from '#shared/roster/model.ts';
import { fillGreedily, openPlacement } from '#shared/roster/placement.ts';
import { type RosterResult, rosterResult } from '#shared/roster/roster-result.ts';
import { NOBODY, openSeats } from '#shared/roster/seats.ts';
import type { PersonRules, RosterProblem } from '../roster-benchmark/search/problem.ts';
import { searchRoster } from '../roster-benchmark/search/search-roster.ts';

const DAYS = 7;
const DAY = 1440;
/** More than a seat that stays empty costs, which is more than any wish. */
const FORBIDDEN = 3000;
const UNFILLED = 400;
/** How far a person's hours may be from their fair share, in minutes: 10 h gives better rosters than 6 or 15. */
const BAND = 600;

/** A time of day of a post's shifts, with the shift of each day. */
interface Kind {
  start: number;
  end: number;
  shifts: (number | undefined)[];
}

function listKinds({ input, duties }: RosterModel): { kinds: Kind[]; firstDay: number } {
  const firstDay = Math.min(...duties.day.subarray(0, input.shifts.length));
  const kinds = new Map<string, Kind>();
  for (const [number, { post_id, start, end }] of input.shifts.entries()) {
    const day = at(duties.day, number) - firstDay;
    const key = [post_id, start - day * DAY, end - start].join();
    const kind = kinds.get(key) ?? { start: start - day * DAY, end: end - day * DAY, shifts: [] };
    kind.shifts[day] = number;
    kinds.set(key, kind);
  }
  return { kinds: [...kinds.values()], firstDay };
}

/** The minutes that a person should work: the problem has limits of sums, but no costs of them. */
function fairMinutes({ unit, hours: { cost, width } }: RosterModel['costs'], person: number) {
  let best = 0;
  for (let step = 0; step < width; step++)
    if (realAt(cost, person * width + step) < realAt(cost, person * width + best)) best = step;
  return best * unit;
}

function toProblem(model: RosterModel, kinds: Kind[]): RosterProblem {
  const { input, people, shifts, duties, costs } = model;
  const width = kinds.length + 1;
  const cellCost = new Int32Array(people * DAYS * width);
  const required = new Int32Array(DAYS * width);
  const underCost = new Int32Array(DAYS * width);
  const overCost = new Int32Array(DAYS * width).fill(FORBIDDEN);
  const staff = input.people.map(({ id, outside }, person): PersonRules => {
    const maxOfKind = new Int32Array(width);
    const rests = (shift: number) =>
      outside.every(
        ([start, end]) =>
          at(duties.start, shift) - end >= model.rest ||
          start - at(duties.end, shift) >= model.rest,
      );
    const fair = fairMinutes(costs, person);
    for (const [index, { shifts: ofDays }] of kinds.entries()) {
      for (let day = 0; day < DAYS; day++) {
        const cell = (person * DAYS + day) * width + index + 1;
        const shift = ofDays[day];
        if (shift === undefined || model.allowed[person * shifts + shift] !== 1 || !rests(shift)) {
          cellCost[cell] = FORBIDDEN;
          continue;
        }
        maxOfKind[index + 1] = DAYS;
        cellCost[cell] = Math.round(realAt(model.linear, person * shifts + shift));
      }
    }
    return {
      id,
      maxOfKind,
      minMinutes: Math.max(0, fair - BAND),
      maxMinutes: Math.min(costs.regularMinutes, fair + BAND),
      minRun: 1,
      maxRun: model.maxDays,
      minDaysOff: 1,
      maxWeekends: 1,
    };
  });

  const forbiddenNext = new Int32Array(width * width);
  for (const [index, { end, shifts: ofDays }] of kinds.entries()) {
    for (const [other, { start }] of kinds.entries())
      if (start + DAY - end < model.rest) forbiddenNext[(index + 1) * width + other + 1] = 1;
    for (const [day, shift] of ofDays.entries()) {
      if (shift === undefined) continue;
      required[day * width + index + 1] = at(model.headcount, shift);
      underCost[day * width + index + 1] = UNFILLED;
    }
  }
  return {
    days: DAYS,
    people: staff,
    kinds: kinds.map(({ start, end }, index) => ({ id: String(index), minutes: end - start })),
    forbiddenNext,
    unavailable: new Int32Array(people * DAYS),
    cellCost,
    required,
    underCost,
    overCost,
  };
}

/**
 * Fills an empty week by the benchmark's solver. What the product's rules forbid of it is left out, and empty seats are then
 * filled greedily, so that the roster is legal.
 */
export function solveWeek(
  input: RosterInput,
  options: { seed: number; used: () => number },
): { result: RosterResult; left: number } {
  const effective = effectiveRoster(input);
  const model = compileModel(input);
  const placement = openPlacement(model, openSeats(model, effective, { mode: 'fill' }));
  const { kinds } = listKinds(model);
  const problem = toProblem(model, kinds);
  const { roster } = searchRoster(problem, options);
  let left = 0;
  for (const [cell, kind] of roster.entries()) {
    const shift = kinds[kind - 1]?.shifts[cell % DAYS];
    if (shift === undefined) continue;
    const person = Math.floor(cell / DAYS);
    const { seats, timetable } = placement;
    const empty = seats.holder
      .subarray(at(seats.first, shift), at(seats.first, shift + 1))
      .indexOf(NOBODY);
    if (empty < 0 || !timetable.fits(person, shift)) left++;
    else placement.place(at(seats.first, shift) + empty, person);
  }
  fillGreedily(placement);
  return { result: rosterResult(model, effective, placement, null), left };
}
