import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  hr,
  newcomer,
  opsManager,
  people,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, REFUSED } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

describe('hired_on', () => {
  const hired = 'select hired_on($1) is not null as known';

  test.each([guardHere, hr, opsManager, admin])('returns the day to $name', async (person) => {
    expect(await asPerson(database.owner, person, hired, [guardHere.id])).toEqual([
      { known: true },
    ]);
  });

  test.each([bystander, dispatcher, newcomer])(
    'returns nothing to $name about another person',
    async (person) => {
      await expect(asPerson(database.owner, person, hired, [guardHere.id])).rejects.toMatchObject({
        code: REFUSED,
      });
    },
  );
});

describe('my_payslips', () => {
  const own = 'select full_name, base_amount, net_amount from my_payslips()';

  test('are the caller’s own, with the name from the staff record they can’t read', async () => {
    const payslip = { full_name: guardHere.name, base_amount: '150.00', net_amount: '150.00' };
    expect(await asPerson(database.owner, guardHere, own)).toEqual([payslip]);
    expect(await asPerson(database.owner, guardHere, 'select * from staff')).toEqual([]);
  });

  test('of an admin are only their own', async () => {
    const all = await asPerson(database.owner, admin, 'select id from payroll');
    const rows = await asPerson(database.owner, admin, own);
    expect(rows.length).toBeLessThan(all.length);
    for (const row of rows) expect(row).toMatchObject({ full_name: admin.name });
  });

  test('are empty for an account without access, and refused to anon', async () => {
    for (const person of people.filter(({ closed, signupPolicy }) => closed && !signupPolicy)) {
      expect(await asPerson(database.owner, person, own)).toEqual([]);
    }
    const visitor = { ...newcomer, claims: null };
    await expect(asPerson(database.owner, visitor, own)).rejects.toMatchObject({ code: REFUSED });
  });
});
