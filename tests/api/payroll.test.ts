import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();

it('six concurrent pay records for one user and period: one is stored, five are rejected with the reason', async () => {
  const { client: admin, id } = await server.signedUp();
  await server.database.owner.query(
    `insert into public.user_roles (user_id, role) values ($1, 'admin')`,
    [id],
  );
  const { data: person } = await admin
    .from('staff')
    .insert({ full_name: 'Musu Flomo', salary_amount: 150 })
    .select('id')
    .single()
    .throwOnError();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      admin.from('payroll').insert({
        staff_id: person.id,
        period_start: '2026-11-01',
        period_end: '2026-11-30',
        base_amount: 150,
      }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(5);
  for (const { status, error } of refused) {
    expect(status).toBe(400);
    expect(error).toEqual({
      code: '23P01',
      message:
        'Musu Flomo already has a payroll record from Nov 1, 2026 to Nov 30, 2026 (pending).',
      details: null,
      hint: 'Choose a period that does not overlap, or cancel that record first.',
    });
  }
  const { count } = await admin
    .from('payroll')
    .select('*', { count: 'exact', head: true })
    .eq('staff_id', person.id);
  expect(count).toBe(1);
});

it('computing the hours and pay of everybody may take longer than other requests', async () => {
  const { client: admin, id } = await server.signedUp();
  const { owner } = server.database;
  await owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [id]);
  const { data: run } = await admin
    .rpc('create_pay_run', { p_pay_group: 'monthly', p_currency: 'USD', p_day: '2026-10-01' })
    .throwOnError();
  const limit = async (change: string) => {
    await owner.query(
      `alter role authenticated in database ${server.database.connection.database} ${change}`,
    );
    await owner.query(`notify pgrst, 'reload config'`);
    // An unknown name triggers a check for newer settings.
    await admin.from('nobody' as 'staff').select();
  };
  await limit(`set statement_timeout = '200ms'`);
  const busy = await owner.connect();
  try {
    await busy.query('begin');
    await busy.query('lock table public.timesheets in access exclusive mode');
    const heavy = [
      admin.rpc('compute_timesheets', { from: '2026-10-01', to: '2026-10-31' }),
      admin.rpc('calculate_pay_run', { id: run }),
    ].map((call) => call.then((answer) => answer));
    const { error } = await admin.from('timesheets').select('id');
    expect(error).toMatchObject({ code: '57014' });
    await busy.query('commit');
    for (const answer of await Promise.all(heavy)) {
      expect(answer).toMatchObject({ error: null, data: 0 });
    }
  } finally {
    busy.release(true);
    await limit('reset statement_timeout');
  }
});
