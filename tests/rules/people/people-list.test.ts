// One list of everybody: who reads it, whom it holds, and what a record lacks.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  contactHere,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  opsManager,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

type Row = {
  id: string;
  state: string;
  roles: string[];
  supervised_sites: string | null;
  next_site: string | null;
  missing: string[];
};

/** The row of a person, after the facts are set. */
async function rowOf(id: string, ...facts: string[]): Promise<Row | undefined> {
  return rolledBack(database.owner, async (client: PoolClient) => {
    for (const fact of facts) await client.query(fact);
    await becomeOwner(client);
    await become(client, hr);
    return (await client.query<Row>('select * from people_list where id = $1', [id])).rows[0];
  });
}

test('is read by people managers alone', async () => {
  const read = (person: typeof admin) =>
    asPerson<{ id: string }>(database.owner, person, 'select id from people_list');
  for (const person of [admin, opsManager, hr]) {
    const ids = (await read(person)).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([guardHere.id, admin.id, newcomer.id]));
    expect(ids).not.toContain(contactHere.id);
  }
  for (const person of [finance, supervisorEverywhere, dispatcher, guardHere, contactHere]) {
    expect(await read(person)).toEqual([]);
  }
});

test('holds records of pay without an account for admins, who read pay', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into staff (full_name, phone, salary_amount) values ('Saye Gonlee', '0770123999', 150)`,
    );
    const find = async (person: typeof admin) => {
      await become(client, person);
      const { rows } = await client.query(
        `select phone, state, missing from people_list where name = 'Saye Gonlee'`,
      );
      return rows;
    };
    expect(await find(admin)).toEqual([
      { phone: '+231770123999', state: 'active', missing: ['account'] },
    ]);
    expect(await find(hr)).toEqual([]);
  });
});

test('names roles, and the sites of a supervisor', async () => {
  expect(await rowOf(supervisorHere.id)).toMatchObject({ roles: ['supervisor'] });
  expect((await rowOf(supervisorHere.id))?.supervised_sites).not.toBeNull();
  expect((await rowOf(supervisorEverywhere.id))?.supervised_sites).toBeNull();
  expect(await rowOf(newcomer.id)).toMatchObject({ roles: [] });
});

test.each([
  ['active', 'update profiles set left_on = null'],
  ['invited', 'update profiles set must_change_password = true'],
  ['leaving', 'update profiles set left_on = private.company_date()'],
  ['left', 'update profiles set left_on = private.company_date() - 1'],
])('knows who is %s', async (state, fact) => {
  expect(await rowOf(guardElsewhere.id, `${fact} where id = '${guardElsewhere.id}'`)).toMatchObject(
    {
      state,
    },
  );
});

const COMPLETE = [
  `update profiles set phone = '+231770555111', home_region = 'Montserrado',
     photo_path = gen_random_uuid() || '.jpg' where id = '${guardElsewhere.id}'`,
  `insert into staff (full_name, salary_amount, user_id)
   select 'Guard', 100, '${guardElsewhere.id}'
   where not exists (select from staff where user_id = '${guardElsewhere.id}')`,
  `delete from certifications where user_id = '${guardElsewhere.id}'`,
];

const certificate = (expires: string) =>
  `insert into certifications (user_id, course_id, expires_at)
   select '${guardElsewhere.id}', id, ${expires} from training_courses order by id limit 1`;

test.each([
  [[], []],
  [['role'], [`delete from user_roles where user_id = '${guardElsewhere.id}'`]],
  [['phone'], [`update profiles set phone = null where id = '${guardElsewhere.id}'`]],
  [['photo'], [`update profiles set photo_path = null where id = '${guardElsewhere.id}'`]],
  [['home'], [`update profiles set home_region = null where id = '${guardElsewhere.id}'`]],
  [
    ['sign_in'],
    [`update profiles set must_change_password = true where id = '${guardElsewhere.id}'`],
  ],
  [['pay'], [`update staff set user_id = null where user_id = '${guardElsewhere.id}'`]],
  [['certificate'], [certificate(`now() - interval '1 day'`)]],
  // A renewal replaces the certificate that expired.
  [[], [certificate(`now() - interval '1 day'`), certificate(`now() + interval '1 year'`)]],
])('misses %j', async (missing, facts) => {
  expect((await rowOf(guardElsewhere.id, ...COMPLETE, ...facts))?.missing).toEqual(missing);
});

test('shows the duty that runs or comes next, and none that was cancelled', async () => {
  const cancelled = `update assignments set status = 'cancelled' where user_id = '${guardHere.id}'`;
  expect((await rowOf(guardHere.id))?.next_site).not.toBeNull();
  expect((await rowOf(guardHere.id, cancelled))?.next_site).toBeNull();
});
