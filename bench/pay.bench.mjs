// Hours and payroll: a month's timesheets, a year's list, drafting a period, a pay run, and its payslips in one PDF.
import { median, milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { withServers } from '../scripts/test-server.mjs';
import { withBrowser } from './browser.mjs';
import { signedIn, timed } from './signed-in.mjs';

const RUNS = 15;
const ADMIN = { email: 'admin@statesman.example', password: 'Statesman-Demo-1' };
/** A month for which the demo company has no payroll. */
const PERIOD = { period_start: '2032-02-01', period_end: '2032-02-29' };
const PAGE = 20;

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
/** The run, and the first page of its payslips. */
async function openRun(client, id) {
  const slips = client
    .from('payslips')
    .select('*, staff!inner(full_name, role)', { count: 'exact' })
    .eq('pay_run_id', id);
  const [{ error }] = await Promise.all([
    client.from('pay_runs').select().eq('id', id).single().throwOnError(),
    slips
      .order('staff(full_name)')
      .order('id')
      .range(0, PAGE - 1)
      .throwOnError(),
  ]);
  return { error };
}

const openReview = async (client, id) => {
  const [{ error }] = await Promise.all([
    client.rpc('pay_run_changes', { id }).throwOnError(),
    client.rpc('pay_run_findings', { id }).throwOnError(),
  ]);
  return { error };
};

const everyLine = (client, id) =>
  client.from('payslips').select('*, payslip_lines(*)').eq('pay_run_id', id).limit(1000);

async function medianOf(work) {
  const times = [];
  for (let n = 0; n < RUNS; n += 1) times.push((await timed(work)).ms);
  return milliseconds(median(times));
}

/** The open run of the demo company: calculated, opened, approved and locked. */
async function payRun(url, browser) {
  const [finance, admin] = [await signedIn(url, FINANCE), await signedIn(url, ADMIN)];
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
  const again = await timed(() => finance.rpc('calculate_pay_run', { id: run.id }));
  const opened = await medianOf(() => openRun(finance, run.id));
  const reviewed = await medianOf(() => openReview(finance, run.id));
  const lines = await medianOf(() => everyLine(finance, run.id));
  await admin.rpc('approve_pay_run', { id: run.id }).throwOnError();
  const locked = await timed(() => finance.rpc('lock_pay_run', { id: run.id }));
  return [
    [`a run of ${calculated.data} payslips calculated`, 'under 3 s', seconds(calculated.ms)],
    ['the same again, which changes nothing', 'under 3 s', seconds(again.ms)],
    ['the run opened', 'under 300 ms', opened],
    ['its review', 'under 300 ms', reviewed],
    ['its payslips with every line', 'under 300 ms', lines],
    ['the run locked', 'under 1 s', seconds(locked.ms)],
    ...(await payslips(browser, url, run.id, calculated.data)),
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

/** Every payslip of the run as one PDF, on the run's page; and how long the page could not answer a press at that time. */
async function payslips(browser, url, run, count) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}/admin/payruns/${run}`);
  await page.getByLabel('Email').fill(FINANCE.email);
  await page.getByLabel('Password', { exact: true }).fill(FINANCE.password);
  await page.getByRole('button', { name: 'Login' }).click();
  const button = page.getByRole('button', { name: 'Payslips PDF' });
  await button.waitFor();
  await page.evaluate(() => {
    globalThis.blocked = [0];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.blocked.push(duration);
    }).observe({ type: 'longtask' });
  });
  const started = performance.now();
  await button.click();
  await page.getByText(/^[\d,]+ of [\d,]+$/).waitFor();
  const progress = performance.now() - started;
  await page.getByText(/\d+ payslips ready/).waitFor({ timeout: 120_000 });
  const ms = performance.now() - started;
  const blocked = await page.evaluate(() => Math.max(...globalThis.blocked));
  await page.close();
  return [
    [`${count} payslips with their lines as one PDF, in the browser`, 'under 10 s', seconds(ms)],
    ['until it shows its progress', '', seconds(progress)],
    ['longest task at that time', 'under 200 ms', milliseconds(blocked)],
  ];
}

export default async function pay() {
  await withServers(1, async ([{ url }]) => {
    const client = await signedIn(url, ADMIN);
    const { count } = await client.from('payroll').select('*', { count: 'exact', head: true });
    const rows = await timesheets(client);
    for (const [what, read] of READS) {
      const ms = await medianOf(() => read(client));
      rows.push([`the list of ${count} records: ${what}`, 'under 300 ms', ms]);
    }
    const draft = await timed(() =>
      client.rpc('draft_payroll', { p_start: PERIOD.period_start, p_end: PERIOD.period_end }),
    );
    const { count: drafted } = await client
      .from('payroll')
      .select('*', { count: 'exact', head: true })
      .match(PERIOD);
    rows.push([`drafting a period for ${drafted} people`, 'under 2 s', seconds(draft.ms)]);
    rows.push(...(await withBrowser((browser) => payRun(url, browser))));
    console.log(`Medians of ${RUNS} over HTTP; computing, drafting, the run and the PDF once.\n`);
    table(['what', 'goal', 'measured'], rows);
  });
}
