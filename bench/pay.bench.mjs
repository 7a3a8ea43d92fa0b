// Hours and payroll: a month's timesheets, drafting a period, a pay run, a year's list, and everyone's payslips in one PDF.
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { median, milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { withBrowser } from './browser.mjs';

const RUNS = 15;
const ADMIN = { email: 'admin@statesman.example', password: 'Statesman-Demo-1' };
/** A month for which the demo company has no payroll. */
const PERIOD = { period_start: '2032-02-01', period_end: '2032-02-29' };
const PAGE = 20;

async function signedIn(url, account = ADMIN) {
  const { supabaseUrl, supabaseAnonKey } = await (await fetch(`${url}/app-config.json`)).json();
  const client = createClient(supabaseUrl, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket },
  });
  const { error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return client;
}

async function timed(work) {
  const started = performance.now();
  const { error, ...rest } = await work();
  if (error) throw error;
  return { ms: performance.now() - started, ...rest };
}

const list = (client) =>
  client
    .from('payroll')
    .select('*, staff!inner(full_name, role, payment_frequency)', { count: 'exact' })
    .range(0, PAGE - 1);

/** The month of the demo's attendance that has no timesheets yet: four months ago. */
function uncomputedMonth() {
  const now = new Date();
  const day = (offset) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 4 + offset, 1 - offset));
  return { from: day(0).toISOString().slice(0, 10), to: day(1).toISOString().slice(0, 10) };
}

/** A month computed for the first time and again, and one person's weeks, by a decision about one record. */
async function timesheets(client) {
  const month = uncomputedMonth();
  const first = await timed(() => client.rpc('compute_timesheets', month));
  const again = await timed(() => client.rpc('compute_timesheets', month));
  const { data } = await client
    .from('time_segments')
    .select('attendance_id')
    .not('attendance_id', 'is', null)
    .gte('day', month.from)
    .lte('day', month.to)
    .limit(RUNS);
  const times = [];
  for (const { attendance_id } of data) {
    const decision = { p_attendance_id: attendance_id, p_kind: 'early_arrival', p_approved: true };
    times.push((await timed(() => client.rpc('decide_time', decision))).ms);
  }
  return [
    [`the hours of ${first.data} people for a month`, 'under 3 s', seconds(first.ms)],
    ['the same again, which changes nothing', 'under 3 s', seconds(again.ms)],
    ['a decision, with the person computed again', 'under 50 ms', milliseconds(median(times))],
  ];
}

const FINANCE = { email: 'finance@statesman.example', password: 'Statesman-Demo-1' };
/** What the page of a run reads. */
const openRun = (client, id) =>
  client
    .from('payslips')
    .select('*, staff!inner(full_name), payslip_lines(*)')
    .eq('pay_run_id', id)
    .limit(600);

/** The open run of the demo company: calculated, opened, approved and locked. */
async function payRun(url) {
  const [finance, admin] = [await signedIn(url, FINANCE), await signedIn(url)];
  const { data: run } = await finance
    .from('pay_runs')
    .select('id')
    .eq('status', 'calculated')
    .single()
    .throwOnError();
  const { data: sheets } = await finance
    .from('timesheets')
    .select('id, pay_run_id')
    .is('pay_run_id', null)
    .limit(1000)
    .throwOnError();
  await admin.rpc('approve_timesheets', { ids: sheets.map(({ id }) => id) }).throwOnError();
  const calculated = await timed(() => finance.rpc('calculate_pay_run', { id: run.id }));
  const opened = [];
  for (let n = 0; n < RUNS; n += 1) opened.push((await timed(() => openRun(finance, run.id))).ms);
  await admin.rpc('approve_pay_run', { id: run.id }).throwOnError();
  const locked = await timed(() => finance.rpc('lock_pay_run', { id: run.id }));
  return [
    [`a run of ${calculated.data} payslips calculated`, 'under 3 s', seconds(calculated.ms)],
    ['the run opened, with every line', 'under 300 ms', milliseconds(median(opened))],
    ['the run locked', 'under 1 s', seconds(locked.ms)],
  ];
}

/** The screen's queries, each with an exact count. */
const READS = [
  [
    'opens, newest first',
    (client) => list(client).order('created_at', { ascending: false }).order('id'),
  ],
  ['sorted by net amount', (client) => list(client).order('net_amount').order('id')],
  ['sorted by name', (client) => list(client).order('staff(full_name)').order('id')],
  [
    'filtered by a name and a status',
    (client) =>
      list(client)
        .eq('payment_status', 'paid')
        .ilikeAllOf('staff.full_name', ['"*a*"'])
        .order('created_at', { ascending: false })
        .order('id'),
  ],
  ['totals of each period', (client) => client.rpc('payroll_totals')],
];

async function payslips(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(
    `${url}/admin/payroll?period=${encodeURIComponent(Object.values(PERIOD).join(' '))}`,
  );
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('table', { name: 'Payroll' }).waitFor();
  const started = performance.now();
  await page.getByRole('button', { name: 'Payslips PDF' }).click();
  await page.getByText(/\d+ payslips ready/).waitFor({ timeout: 120_000 });
  return performance.now() - started;
}

export default async function pay() {
  await withServers(1, async ([{ url }]) => {
    const client = await signedIn(url);
    const { count } = await client.from('payroll').select('*', { count: 'exact', head: true });
    const rows = await timesheets(client);
    for (const [what, read] of READS) {
      const times = [];
      for (let run = 0; run < RUNS; run += 1) times.push((await timed(() => read(client))).ms);
      rows.push([
        `the list of ${count} records: ${what}`,
        'under 300 ms',
        milliseconds(median(times)),
      ]);
    }
    const draft = await timed(() =>
      client.rpc('draft_payroll', { p_start: PERIOD.period_start, p_end: PERIOD.period_end }),
    );
    const { count: drafted } = await client
      .from('payroll')
      .select('*', { count: 'exact', head: true })
      .match(PERIOD);
    rows.push([`drafting a period for ${drafted} people`, 'under 2 s', seconds(draft.ms)]);
    rows.push([
      `${drafted} payslips as one PDF, in the browser`,
      'under 30 s',
      seconds(await withBrowser((browser) => payslips(browser, url))),
    ]);
    rows.push(...(await payRun(url)));
    console.log(`Medians of ${RUNS} over HTTP; drafting, the run and the PDF once.\n`);
    table(['what', 'goal', 'measured'], rows);
  });
}
