import { at } from '#shared/roster/arrays.ts';
import type { PersonRules, RosterProblem } from './search/problem.ts';
import {
  fail,
  fieldsOf,
  find,
  InstanceError,
  type Line,
  numbered,
  readSections,
  wholeNumber,
} from './sections.ts';

/** Bounds memory: `people * days * (kinds + 1)` costs of 4 bytes. Ten times the largest published instance. */
const MOST_CELLS = 20_000_000;
const MOST_DAYS = 3660;

function parsePerson(line: Line, kinds: Map<string, number>, days: number): PersonRules {
  const fields = fieldsOf(line, [
    'id',
    'maxShifts',
    'maxMinutes',
    'minMinutes',
    'maxRun',
    'minRun',
    'minDaysOff',
    'maxWeekends',
  ]);
  const number = (name: Exclude<keyof typeof fields, 'id' | 'maxShifts'>): number =>
    wholeNumber(line, fields[name], name, 100_000_000);
  const maxOfKind = new Int32Array(kinds.size + 1);
  for (const limit of fields.maxShifts.split('|').filter((part) => part.trim() !== '')) {
    const [id = '', most, ...rest] = limit.split('=').map((part) => part.trim());
    if (most === undefined || rest.length > 0) fail(line, `"${limit}" is not "shift=maximum"`);
    maxOfKind[find(line, kinds, id, 'shift')] = Math.min(days, wholeNumber(line, most, limit));
  }
  return {
    id: fields.id,
    maxOfKind,
    maxMinutes: number('maxMinutes'),
    minMinutes: number('minMinutes'),
    maxRun: number('maxRun'),
    minRun: number('minRun'),
    minDaysOff: number('minDaysOff'),
    maxWeekends: number('maxWeekends'),
  };
}

/** @throws InstanceError with the line and what is wrong with it */
export function parseInstance(text: string): RosterProblem {
  const sections = readSections(text);
  const linesOf = (name: Parameters<typeof sections.get>[0]) => sections.get(name) ?? [];
  const [horizon, ...more] = linesOf('HORIZON');
  if (horizon === undefined || more.length > 0)
    throw new InstanceError('SECTION_HORIZON must have one line.');
  const days = wholeNumber(horizon, fieldsOf(horizon, ['days']).days, 'days', MOST_DAYS);
  if (days === 0) fail(horizon, 'days is 0');

  const shiftLines = linesOf('SHIFTS');
  const kinds = numbered(shiftLines, 1);
  const width = kinds.size + 1;
  const staff = numbered(linesOf('STAFF'), 0);
  if (staff.size * days * width > MOST_CELLS)
    throw new InstanceError(
      `${staff.size} people × ${days} days × ${kinds.size} shifts is too large.`,
    );

  const forbiddenNext = new Int32Array(width * width);
  const shifts = shiftLines.map((line, index) => {
    const isListed = line.fields.length > 2;
    const { id, minutes } = isListed
      ? fieldsOf(line, ['id', 'minutes', 'forbidden'])
      : fieldsOf(line, ['id', 'minutes']);
    const next = (line.fields[2] ?? '').split('|').map((other) => other.trim());
    for (const other of next.filter((name) => name !== ''))
      forbiddenNext[(index + 1) * width + find(line, kinds, other, 'shift')] = 1;
    return { id, minutes: wholeNumber(line, minutes, 'minutes') };
  });

  const people = linesOf('STAFF').map((line) => parsePerson(line, kinds, days));
  const dayOf = (line: Line, day: string) => wholeNumber(line, day, 'day', days - 1);
  const unavailable = new Int32Array(people.length * days);
  for (const line of linesOf('DAYS_OFF')) {
    const [id = '', ...off] = line.fields;
    const person = find(line, staff, id, 'employee');
    for (const day of off.filter((field) => field !== ''))
      unavailable[person * days + dayOf(line, day)] = 1;
  }

  const cellCost = new Int32Array(people.length * days * width);
  const addRequest = (line: Line, isWanted: boolean): void => {
    const fields = fieldsOf(line, ['id', 'day', 'shift', 'weight']);
    const person = find(line, staff, fields.id, 'employee');
    const kind = find(line, kinds, fields.shift, 'shift');
    const weight = wholeNumber(line, fields.weight, 'weight');
    const start = (person * days + dayOf(line, fields.day)) * width;
    for (let other = 0; other < width; other++)
      if ((other === kind) !== isWanted)
        cellCost[start + other] = at(cellCost, start + other) + weight;
  };
  for (const line of linesOf('SHIFT_ON_REQUESTS')) addRequest(line, true);
  for (const line of linesOf('SHIFT_OFF_REQUESTS')) addRequest(line, false);

  const required = new Int32Array(days * width);
  const underCost = new Int32Array(days * width);
  const overCost = new Int32Array(days * width);
  const isSet = new Set<number>();
  for (const line of linesOf('COVER')) {
    const fields = fieldsOf(line, ['day', 'shift', 'required', 'under', 'over']);
    const index = dayOf(line, fields.day) * width + find(line, kinds, fields.shift, 'shift');
    if (isSet.has(index))
      fail(line, `a second cover of shift "${fields.shift}" on day ${fields.day}`);
    isSet.add(index);
    required[index] = wholeNumber(line, fields.required, 'required');
    underCost[index] = wholeNumber(line, fields.under, 'weight for under');
    overCost[index] = wholeNumber(line, fields.over, 'weight for over');
  }
  return {
    days,
    people,
    kinds: shifts,
    forbiddenNext,
    unavailable,
    cellCost,
    required,
    underCost,
    overCost,
  };
}
