// A pay run from beginning to end: finance calculates, the admin approves, finance locks and pays, and one payment of
// each run fails and is paid again.
import Papa from 'papaparse';
import { ask, type Row } from '#tests/support/acting.ts';
import { cents, shown } from '#tests/support/cents.ts';
import { dateOf, type Period } from './calendar.ts';
import type { Member, Office } from './office.ts';

export interface Slip {
  staffId: string;
  net: bigint;
  /** `kind amount` of each line that is not zero, sorted. */
  lines: string[];
}

export interface PaidRun {
  id: string;
  slips: Slip[];
}

const one = async (office: Office, person: Member, sql: string, values: unknown[] = []) =>
  (await ask(office.owner, person, sql, values))[0] ?? {};

const text = (value: unknown): string => String(value ?? '');

async function slipsOf(office: Office, run: string): Promise<Slip[]> {
  const rows = await ask(
    office.owner,
    office.finance,
    `select s.staff_id, s.net, array_agg(l.kind || ' ' || l.amount) filter (where l.amount <> 0) as lines
     from payslips s join payslip_lines l on l.payslip_id = s.id where s.pay_run_id = $1 group by s.id`,
    [run],
  );
  return rows.map(({ staff_id, net, lines }) => ({
    staffId: text(staff_id),
    net: cents(text(net)),
    lines: Array.isArray(lines) ? lines.map(text).sort() : [],
  }));
}

/** A run of the period until its figures are final. */
export async function lockRun(office: Office, period: Period): Promise<PaidRun> {
  const { finance, admin } = office;
  const day = dateOf(period.first);
  const { id } = await one(office, finance, 'select create_pay_run($1, $2, $3) as id', [
    period.group,
    period.currency,
    day,
  ]);
  await one(office, finance, 'select calculate_pay_run($1)', [id]);
  await one(office, admin, 'select approve_pay_run($1)', [id]);
  await one(office, finance, 'select lock_pay_run($1)', [id]);
  return { id: text(id), slips: await slipsOf(office, text(id)) };
}

/** A payment file, and what the bank or the network answered. @returns the sum of the lines that failed */
async function sendFile(office: Office, file: Row, fails: boolean): Promise<bigint> {
  const { data } = Papa.parse<Record<string, string>>(text(file.content), {
    header: true,
    skipEmptyLines: true,
  });
  const sum = data.reduce((total, line) => total + cents(line.Amount ?? ''), 0n);
  if (shown(sum) !== file.control_total || data.length !== file.line_count)
    throw new Error(`File ${text(file.number)} does not add up to its control total.`);
  const rows = data.map((line, index) => ({
    code: line.Reference,
    amount: line.Amount,
    ...(fails && index === 0
      ? { status: 'failed', failure: 'Wallet is full' }
      : { status: 'paid', reference: `T${text(file.number)}-${index}` }),
  }));
  const answer = [file.id, JSON.stringify(rows)];
  const told = 'select * from import_payment_result($1, $2)';
  const first = await one(office, office.finance, told, answer);
  const again = await one(office, office.finance, told, answer);
  if (first.paid !== rows.length - (fails ? 1 : 0) || again.unchanged !== rows.length)
    throw new Error(`File ${text(file.number)}: ${JSON.stringify([first, again])}`);
  return fails ? cents(data[0]?.Amount ?? '') : 0n;
}

/** Pays a locked run. @returns the control totals of its files, and what failed of them */
export async function payRun(
  office: Office,
  run: string,
  { currency }: Period,
): Promise<{ controlTotals: bigint; failed: bigint }> {
  const sums = { controlTotals: 0n, failed: 0n };
  for (;;) {
    const [next] = await ask(
      office.owner,
      office.finance,
      `select channel, blocked from payments where pay_run_id = $1 and status = 'to_pay' order by channel limit 1`,
      [run],
    );
    if (next === undefined) return sums;
    const file = await one(
      office,
      office.finance,
      'select * from create_payment_file($1, $2, $3)',
      [run, next.channel, currency],
    );
    sums.controlTotals += cents(text(file.control_total));
    sums.failed += await sendFile(office, file, file.number === 1);
  }
}
