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
