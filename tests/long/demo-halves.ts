// The demo company loaded as a server does it: today's part, then the steps of its history beside users.
import type pg from 'pg';
import { inTransaction } from '#backend/database/with-client.ts';
import { fillToday, historySteps } from '#demo/fill.ts';
import { markAsDemo, runHistoryStep } from '#server/demo/demo-state.ts';
import { WITH_RULES } from './demo-expectations.ts';

export async function loadInHalves(owner: pg.Pool, now: Date): Promise<void> {
  const client = await owner.connect();
  await markAsDemo(client);
  await inTransaction(client, async () => {
    await fillToday(client, now);
    await client.query(`update platform.demo set state = 'today', filled_at = $1`, [now]);
  });
  const steps = historySteps(now);
  for (const place of steps.keys()) await runHistoryStep(client, steps, place);
  client.release();
}

/** The initial courses have random ids, and only one of the companies has files. */
const RANDOM = ['course_id', 'photo_path', 'updated_at'];

/** The product gives random ids to what it computes, and takes the time from the clock. */
const COMPUTED_RANDOM = [
  ...RANDOM,
  'id',
  'timesheet_id',
  'payslip_id',
  'payslip_line_id',
  'payroll_id',
  'payment_file_id',
  'invoice_id',
  'invoice_line_id',
  'return_id',
  'created_at',
  'computed_at',
];

/** Further columns like that. The content of a payment file has the codes of its payments. */
const RANDOM_OF: Readonly<Record<string, readonly string[]>> = {
  'public.payroll': ['id'],
  'public.payments': ['code', 'reference'],
  'public.payment_files': ['content', 'sha256'],
  'public.tax_rates': ['approved_at'],
  'public.billed_time': ['waived_at'],
  'public.timesheets': ['locked_at'],
  'public.pay_returns': ['prepared_at'],
  'public.bank_matches': ['line_id', 'document_id'],
  // The facts are those of the clock, with the ids of alerts.
  'public.watch_handovers': ['facts'],
};

const FIXED = new Set(['user_roles', ...WITH_RULES].map((table) => `public.${table}`));

/** @returns SQL of a sum of all rows, which is the same in another database with the same company */
export function sumOf(table: string): string {
  const random = FIXED.has(table) ? RANDOM : COMPUTED_RANDOM;
  const left = [...random, ...(RANDOM_OF[table] ?? [])];
  return `
    select count(*) || ' ' || coalesce(md5(string_agg(row::text, e'\\n' order by row::text)), '')
    from (select to_jsonb(t) - array['${left.join("', '")}'] as row from ${table} t) r`;
}
