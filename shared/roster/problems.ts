import { type Duty, dutyProblems, type RuleProblem } from './duty-rules.ts';
import { type Effective, type RosterIndex, rosterIndex } from './effective.ts';
import { eligibilityProblems } from './eligibility.ts';
import type { RosterInput, RosterPerson } from './input.ts';

export function otherDuties(
  index: RosterIndex,
  effective: Effective,
  person: RosterPerson,
  shiftId: string,
): Duty[] {
  const duties: Duty[] = person.outside.map(([start, end]) => ({ start, end }));
  for (const id of effective.shiftsOf(person.id)) {
    const shift = index.shifts.get(id);
    if (shift !== undefined && id !== shiftId) duties.push(shift);
  }
  return duties;
}

/**
 * The hard rules that would be broken if the person worked the shift, or are broken if the person does. The database
 * refuses the same with the same words.
 */
export function problemsFor(
  input: RosterInput,
  effective: Effective,
  personId: string,
  shiftId: string,
): RuleProblem[] {
  const index = rosterIndex(input);
  const shift = index.shifts.get(shiftId);
  if (shift === undefined) {
    return [{ rule: 'shift', message: 'This shift no longer exists', can_override: false }];
  }
  const person = index.people.get(personId);
  if (person === undefined) {
    return [{ rule: 'inactive', message: 'Not an active guard', can_override: false }];
  }
  return [
    ...eligibilityProblems(index, person, shift),
    ...dutyProblems(
      input.rules,
      index.calendar,
      input.zone,
      shift,
      otherDuties(index, effective, person, shiftId),
    ),
  ];
}
