// Changing, deleting and restoring many rows in one call: all of them or none, with the reasons.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  hr,
  newcomer,
  opsManager,
  type Person,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, call, refusal, rolledBack } from '#tests/support/session.ts';

type Changed = { id: string; seen: string; was: Record<string, unknown> }[];

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const as = <T>(person: Person, work: (client: PoolClient) => Promise<T>) =>
  rolledBack(database.owner, async (client) => {
    await become(client, person);
    return work(client);
  });

const idsOf = (table: 'payroll' | 'certifications' | 'leave_requests' | 'incidents') =>
  scene.rows[table].map(({ id }) => id);

const PAY = `change_records('payroll', $1, '{"payment_status": "paid", "payment_date": "2026-11-20"}',
  '{"payment_status": "pending"}')`;

const paid = (client: PoolClient, ids: string[]) =>
  client
    .query('select payment_status, payment_date::text from payroll where id = any ($1)', [ids])
    .then(({ rows }) => rows);

describe('marking payroll records as paid', () => {
  test('changes all of them, each once, and Undo restores the earlier values', async () => {
    await as(admin, async (client) => {
      const ids = idsOf('payroll');
      const changed = await call<Changed>(client, PAY, [[...ids, ...ids]]);
      expect(changed).toHaveLength(ids.length);
      expect(changed[0]?.was).toEqual({ payment_status: 'pending', payment_date: null });
      for (const row of await paid(client, ids)) {
        expect(row).toEqual({ payment_status: 'paid', payment_date: '2026-11-20' });
      }
      expect(await call(client, `restore_values('payroll', $1)`, [JSON.stringify(changed)])).toBe(
        ids.length,
      );
      for (const row of await paid(client, ids)) {
        expect(row).toEqual({ payment_status: 'pending', payment_date: null });
      }
    });
  });

  test('changes none if one has just been paid or deleted, and names it', async () => {
    await as(admin, async (client) => {
      const [first = '', second = '', ...others] = idsOf('payroll');
      await client.query(`update payroll set payment_status = 'paid' where id = $1`, [first]);
      await client.query('delete from payroll where id = $1', [second]);
      const error = await refusal(client, () => call(client, PAY, [[first, second, ...others]]));
      expect(error.code).toBe('PT409');
      expect(error.message).toContain(
        `Nothing was changed: 2 of ${others.length + 2} rows can't be.`,
      );
      const reasons = JSON.parse(error.detail ?? '');
      expect(reasons).toHaveLength(2);
      expect(reasons).toContainEqual({
        id: first,
        name: newcomer.name,
        reason: 'It has been changed since: its payment status is now paid.',
      });
      expect(reasons).toContainEqual({
        id: second,
        name: 'One row',
        reason: 'It no longer exists, or you may not change it.',
      });
      for (const row of await paid(client, others)) expect(row.payment_status).toBe('pending');
    });
  });

  test.each([
    ['no ids', []],
    ['a null id', [null]],
    ['null', null],
    ['more than 2,000 ids', Array.from({ length: 2001 }, () => crypto.randomUUID())],
  ])('refuses %s', async (_what, ids) => {
    await as(admin, async (client) => {
      const error = await refusal(client, () => call(client, PAY, [ids]));
      expect(error.code).toBe('22023');
    });
  });

  test.each([
    ['another column', 'payroll', '{"net_amount": 1}'],
    ['no column', 'payroll', '{}'],
    ['null', 'payroll', null],
    ['an endless date', 'payroll', '{"payment_date": "infinity"}'],
    ['another table', 'profiles', '{"full_name": "x"}'],
    ['a table that does not exist', 'x; drop table payroll', '{"payment_date": null}'],
  ])('refuses %s', async (_what, table, values) => {
    await as(admin, async (client) => {
      const error = await refusal(client, () =>
        call(client, 'change_records($1, $2, $3)', [table, idsOf('payroll'), values]),
      );
      expect(error.code).toBe('22023');
    });
  });

  test('of 2,000 rows takes less than the time limit of a request', {
    timeout: 30_000,
  }, async () => {
    await rolledBack(database.owner, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into payroll (staff_id, period_start, period_end, base_amount)
         select $1, date '2000-01-01' + n, date '2000-01-01' + n, 1 from generate_series(1, 2000) n returning id`,
        [scene.staffId],
      );
      await become(client, admin);
      await client.query(`set local statement_timeout = '8s'`);
      expect(await call<Changed>(client, PAY, [rows.map(({ id }) => id)])).toHaveLength(2000);
    });
  });
});

describe('Undo', () => {
  afterEach(() =>
    database.owner.query('update payroll set payment_status = default, payment_date = null'),
  );

  /** Undo compares `updated_at`, the time of the transaction: each step needs one of its own. */
  async function committed<T>(person: Person, work: (client: PoolClient) => Promise<T>) {
    return rolledBack(database.owner, async (client) => {
      await become(client, person);
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  test('restores nothing if one row has been changed since, and says which', async () => {
    const ids = idsOf('payroll').slice(0, 3);
    const changed = await committed(admin, (client) => call<Changed>(client, PAY, [ids]));
    await committed(admin, (client) =>
      client.query(`update payroll set notes = 'Checked' where id = $1`, [ids[1]]),
    );
    await as(admin, async (client) => {
      const error = await refusal(client, () =>
        call(client, `restore_values('payroll', $1)`, [JSON.stringify(changed)]),
      );
      expect(JSON.parse(error.detail ?? '')).toEqual([
        expect.objectContaining({ id: ids[1], reason: 'It has been changed since.' }),
      ]);
      for (const row of await paid(client, ids)) expect(row.payment_status).toBe('paid');
    });
  });

  test('needs the version that it undoes', async () => {
    await as(admin, async (client) => {
      const rows = [{ id: idsOf('payroll')[0], was: { payment_status: 'cancelled' } }];
      const error = await refusal(client, () =>
        call(client, `restore_values('payroll', $1)`, [JSON.stringify(rows)]),
      );
      expect(error.message).toContain('It has been changed since.');
    });
  });

  test('of a change in another session waits for it and then refuses', async () => {
    const ids = idsOf('payroll').slice(0, 2);
    const changed = await committed(admin, (client) => call<Changed>(client, PAY, [ids]));
    const other = await database.owner.connect();
    try {
      await other.query('begin');
      await other.query(`update payroll set notes = 'Changed' where id = $1`, [ids[0]]);
      const undo = as(admin, (client) =>
        call(client, `restore_values('payroll', $1)`, [JSON.stringify(changed)]),
      );
      await other.query('commit');
      await expect(undo).rejects.toThrow('It has been changed since.');
    } finally {
      other.release();
    }
  });
});

describe('decisions and follow-ups', () => {
  test('leave is approved for all, except one’s own', async () => {
    await as(hr, async (client) => {
      const own = scene.rows.leave_requests.find(({ owner }) => owner === hr.id)?.id;
      const others = idsOf('leave_requests').filter((id) => id !== own);
      const approve = `change_records('leave_requests', $1, '{"status": "approved"}', '{"status": "pending"}')`;
      const error = await refusal(client, () => call(client, approve, [idsOf('leave_requests')]));
      expect(error.message).toContain("hr: You can't decide your own leave.");
      expect(await call<Changed>(client, approve, [others])).toHaveLength(others.length);
      const again = await refusal(client, () => call(client, approve, [others]));
      expect(again.message).toContain('its status is now approved');
    });
  });

  test('certificates are renewed, unless they would expire before they were issued', async () => {
    await as(hr, async (client) => {
      const ids = idsOf('certifications');
      const renew = `change_records('certifications', $1, $2)`;
      await call(client, renew, [ids, { expires_at: '2028-01-31T23:59:00Z' }]);
      const error = await refusal(client, () =>
        call(client, renew, [ids, { issued_at: '2029-01-01T00:00:00Z' }]),
      );
      expect(error.message).toContain('Unarmed combat: It would expire before it was issued.');
    });
  });

  test('exceptions of attendance are resolved, and open again after Undo', async () => {
    await rolledBack(database.owner, async (client) => {
      const ids = scene.rows.attendance.map(({ id }) => id);
      await client.query(
        `update attendance set needs_review = true, flags = '{sent_late}' where id = any ($1)`,
        [ids],
      );
      await become(client, opsManager);
      const changed = await call<Changed>(client, `change_records('attendance', $1, $2, $3)`, [
        ids,
        { needs_review: false, resolution: 'Seen at the gate' },
        { needs_review: true },
      ]);
      const stored = async () =>
        (
          await client.query(
            'select distinct needs_review, resolution, resolved_by from attendance',
          )
        ).rows;
      expect(await stored()).toEqual([
        { needs_review: false, resolution: 'Seen at the gate', resolved_by: opsManager.id },
      ]);
      await call(client, `restore_values('attendance', $1)`, [JSON.stringify(changed)]);
      expect(await stored()).toEqual([{ needs_review: true, resolution: null, resolved_by: null }]);
    });
  });

  test('incidents get an owner, unless they do not oversee one of the sites', async () => {
    await as(opsManager, async (client) => {
      const ids = idsOf('incidents');
      const assign = `change_records('incidents', $1, $2)`;
      const changed = await call<Changed>(client, assign, [ids, { owner_id: admin.id }]);
      expect(changed).toHaveLength(ids.length);
      const error = await refusal(client, () =>
        call(client, assign, [ids, { owner_id: supervisorHere.id }]),
      );
      expect(error.message).toContain('Broken fence: Choose an owner who oversees this site.');
    });
  });

  test('incidents get a status and a note in their timeline', async () => {
    await as(supervisorEverywhere, async (client) => {
      const ids = idsOf('incidents');
      const change = { status: 'closed', notes: 'Repaired' };
      const changed = await call<Changed>(client, `change_records('incidents', $1, $2)`, [
        ids,
        change,
      ]);
      await call(client, `restore_values('incidents', $1)`, [JSON.stringify(changed)]);
      const { rows } = await client.query(
        `select status, (select count(*)::int from incident_notes n where n.incident_id = i.id and n.note = 'Repaired')
         as notes from incidents i where id = any ($1)`,
        [ids],
      );
      for (const row of rows) expect(row).toEqual({ status: 'open', notes: 1 });
    });
  });
});

test('a caller without rights changes nothing, whatever they send', async () => {
  await as(opsManager, async (client) => {
    const error = await refusal(client, () => call(client, PAY, [idsOf('payroll')]));
    expect(error.message).toContain('you may not change it');
    await becomeOwner(client);
    const rows = await paid(client, idsOf('payroll'));
    expect(rows.some(({ payment_date }) => payment_date === '2026-11-20')).toBe(false);
  });
});

// A session keeps the plan of its first update, which changes one row: a nested loop would compare each of thousands of old
// rows with each new one.
test.each([
  ['audit_log', `update sites set address = address || '.'`],
  ['billed_time', 'update billed_time set freed_at = freed_at'],
  ['invoice_lines', 'update invoice_lines set credited_at = credited_at'],
])('%s: old and new rows of an update are matched by hashing or sorting', (_name, update) =>
  rolledBack(database.owner, async (client) => {
    const plans: string[] = [];
    client.on('notice', ({ message = '' }) => plans.push(message));
    await client.query(`load 'auto_explain'; set local client_min_messages = log;
      set local auto_explain.log_min_duration = 0; set local auto_explain.log_nested_statements = on`);
    await client.query(update);
    const matched = plans.filter((plan) => /_rows \w\s+(\w+ )?join \w+_rows/.test(plan));
    expect(matched).not.toEqual([]);
    for (const plan of matched) expect(plan).toMatch(/(Hash|Merge) Full Join/);
  }),
);
