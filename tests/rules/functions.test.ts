import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
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
import { buildScene, type Scene } from '#tests/support/scene.ts';
import { asPerson, attempt, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
});

describe('clocking', () => {
  test('in and out are idempotent and return the same event and record', async () => {
    await rolledBack(database.owner, async (client) => {
      const assignment = scene.unattended.get(`${guardHere.id} here`);
      await client.query('delete from attendance where user_id = $1', [guardHere.id]);
      await become(client, guardHere);
      const run = async (id: string, kind: string, at: string) => {
        const event = await client.query(
          `select * from record_clock_event($1, $2, $3, ${at}, p_gps => '6.3000,-10.8000')`,
          [id, kind, assignment],
        );
        const { rows } = await client.query('select * from attendance where assignment_id = $1', [
          assignment,
        ]);
        return { event: event.rows[0], records: rows };
      };
      const [idIn, idOut] = [crypto.randomUUID(), crypto.randomUUID()];
      const clockIn = () => run(idIn, 'in', `now() - interval '1 hour'`);
      const clockOut = () => run(idOut, 'out', 'now()');
      const first = await clockIn();
      expect(first.records).toMatchObject([{ assignment_id: assignment, clock_out_at: null }]);
      expect(await clockIn()).toEqual(first);
      const out = await clockOut();
      expect(out.records).toMatchObject([
        { id: first.event.attendance_id, clock_out_at: expect.any(Date) },
      ]);
      expect(await clockOut()).toEqual(out);
      expect(await clockIn()).toEqual({ event: first.event, records: out.records });
    });
  });

  test.each(['in', 'out'])('%s on another guard’s assignment finds nothing', async (kind) => {
    const record = scene.rows.attendance.find((row) => row.owner === bystander.id)?.id;
    const { rows } = await database.owner.query(
      'select assignment_id from attendance where id = $1',
      [record],
    );
    for (const assignment of [
      scene.unattended.get(`${bystander.id} here`),
      rows[0].assignment_id,
    ]) {
      await expect(
        asPerson(
          database.owner,
          guardHere,
          `select record_clock_event(gen_random_uuid(), $1, $2, now(), p_gps => '6.3,-10.8')`,
          [kind, assignment],
        ),
      ).rejects.toMatchObject({ code: 'PT404' });
    }
  });
});

describe('decide_leave', () => {
  const request = () => scene.rows.leave_requests.find((row) => row.owner === guardHere.id)?.id;
  const decide =
    'select status, decision_note, decided_by, decided_at is not null as dated from decide_leave($1, $2, $3)';

  test('approves or rejects with a note, once', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, hr);
      const { rows } = await client.query(decide, [request(), 'approved', 'Enjoy']);
      expect(rows).toEqual([
        { status: 'approved', decision_note: 'Enjoy', decided_by: hr.id, dated: true },
      ]);
      await become(client, opsManager);
      await expect(client.query(decide, [request(), 'rejected', null])).rejects.toThrow(
        'This request was already approved.',
      );
    });
  });

  test('cancels approved leave, with a note for the person and the activity log', async () => {
    await rolledBack(database.owner, async (client) => {
      const cancel = (note: string) => client.query(decide, [request(), 'cancelled', note]);
      await become(client, opsManager);
      expect(await attempt(client, () => cancel('Not yet decided'))).toBe('PT409');
      await client.query(decide, [request(), 'approved', 'Enjoy']);
      expect(await attempt(client, () => cancel(' '))).toBe('23514');
      await become(client, guardHere);
      expect(await attempt(client, () => cancel('By myself'))).toBe(REFUSED);
      await become(client, hr);
      expect((await cancel('The embassy asked for more guards')).rows).toEqual([
        {
          status: 'cancelled',
          decision_note: 'The embassy asked for more guards',
          decided_by: hr.id,
          dated: true,
        },
      ]);
      await become(client, guardHere);
      const { rows: seen } = await client.query(
        'select status, decision_note from leave_requests where id = $1',
        [request()],
      );
      expect(seen).toEqual([
        { status: 'cancelled', decision_note: 'The embassy asked for more guards' },
      ]);
      await become(client, admin);
      const { rows: recorded } = await client.query(
        `select actor_id, old_values ->> 'status' as was, new_values ->> 'decision_note' as note
         from audit_log where row_id = $1 and new_values ->> 'status' = 'cancelled'`,
        [request()],
      );
      expect(recorded).toEqual([
        { actor_id: hr.id, was: 'approved', note: 'The embassy asked for more guards' },
      ]);
      await become(client, hr);
      await expect(cancel('Twice')).rejects.toThrow('This request was already cancelled.');
    });
  });

  test.each([
    [guardHere, 'approved', REFUSED],
    [dispatcher, 'approved', 'PT404'],
    [dispatcher, 'cancelled', '23514'],
    [hr, 'pending', '23514'],
  ])('as $name to %s', async (person, status, code) => {
    await expect(
      asPerson(database.owner, person, decide, [request(), status, null]),
    ).rejects.toMatchObject({ code });
  });
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

describe('import_records', () => {
  const client = (n: number) => ({
    name: `Client ${n}`,
    number_of_guards: n,
    monthly_rate: n * 100,
    location: 'Paynesville',
  });
  const rows = [1, 2, 3].map(client);
  const run = 'select import_records($1, $2) as count';

  test('inserts every row with defaults and author, and a repeat fails as a whole', async () => {
    await rolledBack(database.owner, async (connection) => {
      await become(connection, opsManager);
      expect((await connection.query(run, ['clients', JSON.stringify(rows)])).rows).toEqual([
        { count: 3 },
      ]);
      const imported = await connection.query(
        `select payment_method, created_by from clients where name like 'Client _'`,
      );
      expect(imported.rows).toEqual(
        rows.map(() => ({ payment_method: 'monthly', created_by: opsManager.id })),
      );
      const error = await attempt(connection, () =>
        connection.query(run, ['clients', JSON.stringify([client(9), ...rows])]),
      );
      expect(error).toBe('23505');
      const { rowCount } = await connection.query(`select from clients where name = 'Client 9'`);
      expect(rowCount).toBe(0);
    });
  });

  test('names the invalid row', async () => {
    const wrong = JSON.stringify([client(1), { ...client(2), number_of_guards: -2 }]);
    await expect(asPerson(database.owner, admin, run, ['clients', wrong])).rejects.toThrow(
      /^Row 2: /,
    );
  });

  test.each([
    ['user_roles', [{ role: 'admin' }], '22023'],
    ['clients', [], '22023'],
    ['clients', { name: 'x' }, '22023'],
    ['clients', ['x'], '22023'],
    ['clients', [{ 'name" = 1; --': 'x' }], '42703'],
    ['staff', [{ full_name: 'A', salary_amount: 'much' }], '22P02'],
  ])('refuses %s %j', async (table, entries, code) => {
    await expect(
      asPerson(database.owner, admin, run, [table, JSON.stringify(entries)]),
    ).rejects.toMatchObject({ code });
  });

  test('needs the same permissions as an insert', async () => {
    const staff = JSON.stringify([{ full_name: 'A', salary_amount: 1 }]);
    await expect(asPerson(database.owner, opsManager, run, ['staff', staff])).rejects.toMatchObject(
      { code: REFUSED },
    );
    await expect(
      asPerson(database.owner, guardHere, run, ['clients', JSON.stringify(rows)]),
    ).rejects.toMatchObject({ code: REFUSED });
  });
});

describe('site_options', () => {
  test('returns all names to every member, and is read-only', async () => {
    const options = await asPerson<Record<string, unknown>>(
      database.owner,
      newcomer,
      'select * from site_options order by name',
    );
    expect(options.map((option) => option.name)).toEqual(['Elsewhere', 'Here', 'Spare']);
    expect(Object.keys(options[0] ?? {})).toEqual(['id', 'name']);
    for (const sql of [
      `update site_options set name = 'x'`,
      'delete from site_options',
      `insert into site_options (name) values ('x')`,
    ]) {
      await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
    }
  });
});

test('client totals cover the clients that the caller can see', async () => {
  const sql = 'select * from client_totals()';
  expect(await asPerson(database.owner, opsManager, sql)).toEqual([
    { client_count: 1, total_guards: 4, monthly_revenue: '900.00' },
  ]);
  expect(await asPerson(database.owner, hr, sql)).toEqual([
    { client_count: 0, total_guards: 0, monthly_revenue: '0' },
  ]);
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

test('client totals of a search count clients that match every word', async () => {
  await rolledBack(database.owner, async (connection) => {
    await connection.query(`insert into clients (name, number_of_guards, monthly_rate, location) values
      ('100% Cotton', 3, 1000.10, 'Sinkor'), ('Cotton_Gin', 2, 0.25, 'Harper'), ('Bank of Cotton', 0, 7, 'Ganta')`);
    await become(connection, opsManager);
    const totals = async (search: string | null) =>
      (await connection.query('select * from client_totals($1)', [search])).rows.map(Object.values);
    expect(await totals('COTTON')).toEqual([[3, 5, '1007.35']]);
    expect(await totals(' cotton  sinkor ')).toEqual([[1, 3, '1000.10']]);
    // Wildcards are matched literally.
    expect(await totals('%')).toEqual([[1, 3, '1000.10']]);
    expect(await totals('n_g')).toEqual([[1, 2, '0.25']]);
    expect(await totals('nowhere')).toEqual([[0, 0, '0']]);
    expect(await totals(null)).toEqual(await totals(''));
  });
});

test('a certification is valid, expiring within 30 days or expired, and totals count readable ones', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from certifications');
    const { rows: made } = await client.query<{ id: string }>(
      `insert into training_courses (title) values ('Dog handling') returning id`,
    );
    for (const left of ['-1 second', '1 minute', '30 days', '30 days 1 minute', '2 years']) {
      await client.query(
        'insert into certifications (user_id, course_id, expires_at) values ($1, $2, now() + $3::interval)',
        [guardHere.id, made[0]?.id, left],
      );
    }
    const totals = 'select valid, expiring, expired from certification_totals()';
    const expected = [{ valid: 2, expiring: 2, expired: 1 }];
    for (const person of [hr, guardHere]) {
      await become(client, person);
      expect((await client.query(totals)).rows, person.name).toEqual(expected);
      const { rows } = await client.query(
        'select validity(c) as state from certifications c order by expires_at',
      );
      expect(rows.map(({ state }) => state)).toEqual([
        'expired',
        'expiring',
        'expiring',
        'valid',
        'valid',
      ]);
      await client.query('reset role');
    }
    await become(client, dispatcher);
    expect((await client.query(totals)).rows).toEqual([]);
  });
});
