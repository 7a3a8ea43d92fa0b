import { expect, it } from 'vitest';
import { parseInstance } from './parse-instance.ts';

const GOOD = `# A comment
SECTION_HORIZON
14

SECTION_SHIFTS
# ShiftID, Length in mins, Shifts which cannot follow this shift | separated
D,480,
N,720,D|N

SECTION_STAFF
A,D=14|N=2,4320,3360,5,2,2,1
B,D=3,1440,0,5,1,1,2

SECTION_DAYS_OFF
A,0,13

SECTION_SHIFT_ON_REQUESTS
A,2,D,2
A,2,D,1

SECTION_SHIFT_OFF_REQUESTS
B,5,N,4

SECTION_COVER
0,D,3,100,1
13,N,1,50,2
`;

it('reads every part of an instance', () => {
  const problem = parseInstance(`\uFEFF${GOOD.replaceAll('\n', '\r\n')}`);
  expect(problem.days).toBe(14);
  expect(problem.kinds).toEqual([
    { id: 'D', minutes: 480 },
    { id: 'N', minutes: 720 },
  ]);
  const [a, b] = problem.people;
  expect([...(a?.maxOfKind ?? [])]).toEqual([0, 14, 2]);
  // A shift that is not named may not be worked.
  expect([...(b?.maxOfKind ?? [])]).toEqual([0, 3, 0]);
  expect(a).toMatchObject({ id: 'A', maxMinutes: 4320, minMinutes: 3360, maxRun: 5 });
  expect(a).toMatchObject({ minRun: 2, minDaysOff: 2, maxWeekends: 1 });
  expect([...problem.forbiddenNext]).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1]);
  expect([...problem.unavailable.keys()].filter((cell) => problem.unavailable[cell] === 1)).toEqual(
    [0, 13],
  );
  // Requests add up: every kind but the wanted one costs.
  expect([...problem.cellCost.subarray(2 * 3, 3 * 3)]).toEqual([3, 0, 3]);
  expect([...problem.cellCost.subarray((14 + 5) * 3, (14 + 6) * 3)]).toEqual([0, 0, 4]);
  expect(problem.required[1]).toBe(3);
  expect([problem.underCost[13 * 3 + 2], problem.overCost[13 * 3 + 2]]).toEqual([50, 2]);
});

it.each<[string, string, string, RegExp]>([
  ['no horizon', 'SECTION_HORIZON\n14\n', '', /SECTION_HORIZON is missing or empty/],
  ['a horizon of no days', '\n14\n', '\n0\n', /Line 3: days is 0/],
  ['a section nobody knows', 'SECTION_COVER', 'SECTION_COVERS', /unknown section "SECTION_COVERS"/],
  ['a section twice', 'SECTION_COVER', 'SECTION_STAFF', /a second section/],
  ['text before the first section', '# A comment', 'A,B', /Line 1: expected a section/],
  ['a shift declared twice', 'N,720,D|N', 'D,720,D', /Line 8: "D" is declared twice/],
  ['a forbidden shift nobody knows', 'N,720,D|N', 'N,720,D|X', /unknown shift "X"/],
  ['minutes that are no number', 'D,480,', 'D,8h,', /Line 7: minutes is "8h", not a whole number/],
  ['a negative limit', '4320,3360', '4320,-1', /minMinutes is "-1"/],
  ['a staff line that is short', '4320,3360,5,2,2,1', '4320,3360,5,2,2', /expected 8 fields/],
  ['a limit without a number', 'D=14|N=2', 'D|N=2', /"D" is not "shift=maximum"/],
  ['a day off after the horizon', 'A,0,13', 'A,0,14', /Line 15: day is 14, more than 13/],
  ['a request of a stranger', 'B,5,N,4', 'C,5,N,4', /Line 22: unknown employee "C"/],
  ['a cover given twice', '13,N,1,50,2', '0,D,1,50,2', /a second cover of shift "D" on day 0/],
  ['cover with a half person', '13,N,1,50,2', '13,N,1.5,50,2', /required is "1.5"/],
])('refuses %s', (_, part, replacement, message) => {
  expect(GOOD).toContain(part);
  expect(() => parseInstance(GOOD.replace(part, replacement))).toThrow(message);
});

it('refuses an instance that would not fit into memory', () => {
  const staff = Array.from({ length: 4000 }, (_, i) => `P${i},D=14,4320,0,5,2,2,1`).join('\n');
  const large = GOOD.replace('\n14\n', '\n3000\n').replace(
    /A,D=14.*\n/,
    `A,D=14,1,0,1,1,1,1\n${staff}\n`,
  );
  expect(() => parseInstance(large)).toThrow(/too large/);
});
