// Two sessions that void a run and decide its corrections. What they write is committed.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query('truncate staff, pay_runs, timesheets cascade');
});

test('a decision and a void at once take turns', async () => {
  const owner = database.owner;
  const [voider, decider] = [await owner.connect(), await owner.connect()];
  const asThe = async (person: typeof admin, sql: string, values: unknown[] = []) => {
    const client = await owner.connect();
    try {
      await client.query('begin');
      await become(client, person);
      const { rows } = await client.query(sql, values);
      await client.query('commit');
      return rows;
    } finally {
      client.release();
    }
  };
  try {
    await owner.query(
      `insert into staff (full_name, hire_date, salary_amount) values ('Person', '2030-01-01', 143)`,
    );
    const [{ id: run }] = await asThe(
      finance,
      `select create_pay_run('monthly', 'USD', $1) as id`,
      ['2032-03-15'],
    );
    await asThe(finance, 'select calculate_pay_run($1)', [run]);
    await asThe(admin, 'select approve_pay_run($1)', [run]);
    await asThe(finance, 'select lock_pay_run($1)', [run]);
    await owner.query('update pay_bases set amount = 150');
    await asThe(finance, 'select propose_corrections($1)', [run]);
    const {
      rows: [{ id }],
    } = await owner.query('select id from pay_adjustments');
    await asThe(admin, 'select decide_adjustment($1, false)', [id]);

    await voider.query('begin');
    await become(voider, finance);
    await voider.query(`select void_pay_run($1, 'Wrong')`, [run]);
    await decider.query('begin');
    await become(decider, admin);
    // Rejected ones are not superseded, so nothing but the run itself makes the decision wait.
    const decision = decider.query('select decide_adjustment($1, true)', [id]);
    const outcome = expect(decision).rejects.toThrow('was voided');
    await voider.query('commit');
    await outcome;
    await decider.query('rollback');
  } finally {
    voider.release();
    decider.release();
  }
});
