// Counting from what changes must agree with counting the whole row.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInstance } from './parse-instance.ts';
import { randomInstance } from './random-instance.ts';
import { rowRules } from './search/row-rules.ts';
import { RowTallies } from './search/row-tallies.ts';

const change = fc.record({
  person: fc.nat({ max: 99 }),
  first: fc.nat({ max: 99 }),
  kinds: fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 6 }),
  isKept: fc.boolean(),
});

it('counts as the whole row does, whether changes are kept or not', () => {
  const cases = fc.tuple(
    randomInstance({ people: 3, days: 20, kinds: 3 }),
    fc.array(change, { minLength: 1, maxLength: 40 }),
  );
  fc.assert(
    fc.property(cases, ([text, changes]) => {
      const problem = parseInstance(text);
      const { days, people, kinds } = problem;
      const roster = new Int32Array(people.length * days);
      const tallies = new RowTallies(problem, roster);
      const brokenRules = rowRules(problem);
      for (const { kinds: wanted, isKept, ...where } of changes) {
        const person = where.person % people.length;
        const first = where.first % days;
        const end = Math.min(days, first + wanted.length);
        const cell = person * days + first;
        const before = roster.slice(cell, cell + end - first);
        before.forEach((_, index) => {
          roster[cell + index] = (wanted[index] ?? 0) % (kinds.length + 1);
        });
        const broken = tallies.after(person, first, end, before);
        expect(broken).toBe(brokenRules(roster, person));
        if (isKept) tallies.accept(person, first, end, before, broken);
        else roster.set(before, cell);
        expect(tallies.broken[person]).toBe(brokenRules(roster, person));
      }
    }),
    { numRuns: 300 },
  );
});
