// A month of the company: 520 guards clock, are approved, and are paid. Another calculation, which walks through their
// time minute by minute, must come to the same amount for everybody.
import { beforeAll, expect, test, vi } from 'vitest';
import { ask } from '#tests/support/acting.ts';
import { shown } from '#tests/support/cents.ts';
import { secondServer } from '#tests/support/server.ts';
import { APRIL, dateOf, LAST_DAY, nameOf, type Period, RUNS } from './calendar.ts';
import { decide, eventsOf, liveThroughTheMonth, send } from './clocking.ts';
import { company, GUARDS } from './company.ts';
import { type Office, openOffice } from './office.ts';
import { lockRun, type PaidRun, payRun } from './paying.ts';
import { type Owed, payslip, type Taxed } from './reckoning/net.ts';
import { earnings, type Line, told, total } from './reckoning/pay.ts';
import { type Time, timeOf } from './reckoning/time.ts';
import { type Settled, settle } from './settling.ts';

interface Reckoned extends Settled {
  time: Time;
  owed: Owed;
  taxed: Taxed;
}

let office: Office;
let guards: Reckoned[];
const runs: { period: Period; paid: PaidRun; expected: Map<string, Line[]> }[] = [];
const files = { USD: { controlTotals: 0n, failed: 0n }, LRD: { controlTotals: 0n, failed: 0n } };

/** The payslips of a run by our own calculation. */
function reckon(period: Period, corrections = new Map<Settled, bigint[]>()): Map<string, Line[]> {
  const slips = guards.map(
    (one) =>
      [
        one.staffId,
        payslip(one.guard, period, one.time, one.owed, one.taxed, corrections.get(one)),
      ] as const,
  );
  return new Map(slips.filter(([, lines]) => lines.length > 0));
}

/** Whose payslip differs, with both lists of lines. */
function differences(period: Period, { slips }: PaidRun, expected: Map<string, Line[]>): string[] {
  const found = new Map(slips.map((slip) => [slip.staffId, slip]));
  return guards.flatMap(({ guard, staffId }) => {
    const slip = found.get(staffId);
    const reckoned = expected.get(staffId);
    const [ours, theirs] = [told(reckoned ?? []), slip?.lines ?? []];
    if ((slip?.net ?? 0n) === total(reckoned ?? []) && ours.join() === theirs.join()) return [];
    return [
      `${guard.name} (${guard.bases.map(({ basis }) => basis).join(', ')}), ${nameOf(period)}:
  reckoned ${shown(total(reckoned ?? []))}: ${ours.join(', ')}
  payslip  ${shown(slip?.net ?? 0n)}: ${theirs.join(', ')}`,
    ];
  });
}

async function pay(period: Period, expected: Map<string, Line[]>): Promise<void> {
  const paid = await lockRun(office, period);
  runs.push({ period, paid, expected });
  const sums = await payRun(office, paid.id, period);
  files[period.currency].controlTotals += sums.controlTotals;
  files[period.currency].failed += sums.failed;
}

/** A server that starts again comes to everything that was clocked while there was none. */
async function hoursAreComputed(): Promise<void> {
  const server = await secondServer(office.server);
  await vi.waitFor(
    async () => {
      const { rowCount } = await office.owner.query('select from private.time_to_compute');
      expect(rowCount).toBe(0);
    },
    { timeout: 300_000, interval: 500 },
  );
  await server.stop();
}

async function approveHours(): Promise<void> {
  const { owner, hr } = office;
  const [{ ids } = {}] = await ask(
    owner,
    hr,
    `select array_agg(id) as ids from timesheets where status <> 'locked' and period_start <= $1`,
    [dateOf(LAST_DAY)],
  );
  const [answer] = await ask(owner, hr, 'select * from approve_timesheets($1)', [ids]);
  expect(answer?.refused).toEqual([]);
}

beforeAll(async () => {
  office = await openOffice();
  const settled = await settle(office, company());
  guards = settled.map((one) => ({
    ...one,
    time: timeOf(one.guard),
    owed: new Map(),
    taxed: new Map(),
  }));
  const decided = await liveThroughTheMonth(office, settled);
  await decide(
    office.owner,
    office.operations,
    decided.filter(({ kind }) => kind === 'early_arrival'),
  );
  await hoursAreComputed();
  await decide(
    office.owner,
    office.operations,
    decided.filter(({ kind }) => kind !== 'early_arrival'),
  );
  await approveHours();
  for (const period of RUNS) await pay(period, reckon(period));
  // Two minutes on a machine of its own.
}, 900_000);

const sum = (amounts: bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

test('every guard’s pay is, line by line and to the cent, what the other calculation finds', () => {
  const all = runs.flatMap(({ period, paid, expected }) => differences(period, paid, expected));
  expect(all.slice(0, 12).join('\n')).toBe('');
  const people = new Set(
    runs.flatMap(({ paid }) =>
      paid.slips.filter(({ net }) => net > 0n).map((slip) => slip.staffId),
    ),
  );
  expect(people.size).toBe(GUARDS);
  // Nothing of what is compared is missing from the month.
  const kinds = runs.flatMap(({ expected }) =>
    [...expected.values()].flat().map(({ kind }) => kind),
  );
  expect([...new Set(kinds)].sort()).toEqual([
    'absence',
    'advance',
    'allowance',
    'deduction',
    'holiday',
    'income_tax',
    'leave_paid',
    'leave_unpaid',
    'loan',
    'nasscorp',
    'night',
    'overtime_1',
    'regular',
    'salary',
    'uniform',
  ]);
});

test('the payment files of each currency add up to the net pay, and nobody is paid twice', async () => {
  for (const currency of ['USD', 'LRD'] as const) {
    const slips = runs.flatMap(({ period, paid }) =>
      period.currency === currency ? paid.slips : [],
    );
    const { controlTotals, failed } = files[currency];
    expect(failed).toBeGreaterThan(0n);
    // What failed is in a second file.
    expect(shown(controlTotals - failed)).toBe(shown(sum(slips.map(({ net }) => net))));
  }
  const { owner, finance } = office;
  const [counts] = await ask(
    owner,
    finance,
    `select count(*)::int as slips, count(*) filter (where times = 1 and amount = net)::int as paid_once
     from (
       select s.net, count(p.id) as times, max(p.amount) as amount
       from payslips s left join payments p on p.payslip_id = s.id and p.status = 'paid'
       where s.net > 0 group by s.id
     ) paid`,
  );
  expect(counts?.paid_once).toBe(counts?.slips);
  expect(
    await ask(
      owner,
      finance,
      `select status, count(*)::int as runs from pay_runs group by status
       union all select payment_status, 0 from payroll group by payment_status`,
    ),
  ).toEqual([
    { status: 'paid', runs: RUNS.length },
    { status: 'paid', runs: 0 },
  ]);
});

test('events that arrive after the month was locked are paid by the next run: both figures, and nothing twice', async () => {
  const march = runs.find(({ period }) => period.group === 'monthly' && period.currency === 'USD');
  if (!march) throw new Error('March was not paid.');
  const corrections = new Map<Settled, bigint[]>();
  for (const one of guards) {
    const duty = one.guard.duties.find(({ late }) => late);
    if (!duty?.late) continue;
    const events = eventsOf(duty.late, one.assignments.get(duty) ?? '');
    // A phone sends again what it has no answer for.
    await send(office, { ...one, client: undefined }, [...events, ...events]);
    const worth = (period: Period, time: Time) => total(earnings(one.guard, period, time));
    const before = worth(march.period, one.time);
    Object.assign(duty, { presences: [duty.late] });
    const known = timeOf(one.guard);
    // April's part of a night is in April's timesheet, which is not locked.
    const after = worth(march.period, known);
    one.time = known;
    expect(after).toBeGreaterThan(before);
    corrections.set(one, [after - before]);
    const [adjustment] = await ask(
      office.owner,
      office.admin,
      `select (decide_adjustment(id, true)).* from pay_adjustments where user_id = $1 and status = 'to_decide'`,
      [one.id],
    );
    expect(adjustment, one.guard.name).toMatchObject({
      kind: 'late_event',
      figure_before: shown(before),
      figure_after: shown(after),
      amount: shown(after - before),
    });
  }
  expect(corrections.size).toBe(4);
  await approveHours();
  await pay(APRIL, reckon(APRIL, corrections));
  const april = runs.at(-1);
  if (!april) throw new Error('April was not paid.');
  expect(differences(april.period, april.paid, april.expected).slice(0, 12).join('\n')).toBe('');
}, 120_000);
