// Staff records, linked to accounts, and twelve months of payroll.
import type { ClientBase } from 'pg';
import { type Calendar, CLOSED_MONTHS, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { asRows, insertRows } from '../insert-rows.ts';
import type { People, Person } from '../people/people.ts';
import { idOf, Random } from '../random.ts';
import payrollData from './payroll.json' with { type: 'json' };

const { notes: PAYROLL_NOTES } = payrollData;

const MONTHS = 12;
/** The employee's share of NASSCORP, of gross pay. */
const SOCIAL_SECURITY = 0.04;
const NETWORKS = ['77', '88', '55', '33'] as const;

interface StaffRecord {
  id: string;
  person: Person;
  phone: string;
  /** USD per payment. */
  salary: number;
  frequency: 'weekly' | 'bi-weekly' | 'monthly';
}

function makeStaff(people: People): StaffRecord[] {
  const random = new Random('staff');
  return [...people.guards, ...people.office].map((person, number) => {
    const isGuard = person.role === 'guard';
    const frequency =
      isGuard && number >= 2 && random.chance(0.03)
        ? random.pick(['weekly', 'bi-weekly'] as const)
        : 'monthly';
    const monthly = isGuard ? random.int(30, 52) * 5 : random.int(16, 48) * 25;
    const payments = { weekly: 52 / 12, 'bi-weekly': 26 / 12, monthly: 1 }[frequency];
    const number7 = String(random.int(0, 9_999_999)).padStart(7, '0');
    return {
      id: idOf('staff', number),
      person,
      phone: `+231 ${random.pick(NETWORKS)} ${number7.slice(0, 3)} ${number7.slice(3)}`,
      salary: Math.round(monthly / payments),
      frequency,
    };
  });
}

/** @returns periods up to now, and the current month, which is not paid yet */
function periodsOf(
  { frequency }: StaffRecord,
  calendar: Calendar,
): { start: string; end: string; last: number }[] {
  if (frequency === 'monthly') {
    return Array.from({ length: MONTHS }, (_, i) => {
      const { first, last } = calendar.month(i - MONTHS + 1);
      return { start: first, end: last, last: calendar.dayOf(last) };
    });
  }
  const days = frequency === 'weekly' ? 7 : 14;
  const sunday = -calendar.weekday(0);
  return Array.from({ length: Math.floor(365 / days) }, (_, i) => {
    const last = sunday - i * days;
    return { start: calendar.date(last - days + 1), end: calendar.date(last), last };
  }).reverse();
}

function payslips(record: StaffRecord, random: Random, calendar: Calendar) {
  const { joined, left = Infinity } = record.person;
  return periodsOf(record, calendar).flatMap(({ start, end, last }) => {
    if (last < joined || calendar.dayOf(start) > left) return [];
    // Pay runs write these.
    if (record.frequency === 'monthly' && start >= calendar.month(-CLOSED_MONTHS).first) return [];
    const base = record.salary;
    const social = (base * SOCIAL_SECURITY).toFixed(2);
    const advance = random.chance(0.12) ? random.int(5, 20) : 0;
    const bonuses = random.chance(0.35) ? random.int(5, 60) : 0;
    const isRunning = last >= 0;
    const status = isRunning
      ? 'pending'
      : random.among(
          last > -35
            ? { paid: 955, pending: 40, cancelled: 3 }
            : { paid: 997, pending: 0, cancelled: 3 },
        );
    return {
      staff_id: record.id,
      period_start: start,
      period_end: end,
      base_amount: base.toFixed(2),
      deductions: (Number(social) + advance).toFixed(2),
      calculation: JSON.stringify([
        { name: 'NASSCORP', amount: Number(social), how: `4% of US$${base.toFixed(2)}` },
        ...(advance > 0 ? [{ name: 'Salary advance', amount: advance, how: 'Repaid' }] : []),
      ]),
      bonuses: bonuses.toFixed(2),
      payment_date: status === 'paid' ? calendar.date(Math.min(last + random.int(0, 3), 0)) : null,
      payment_status: status,
      notes: random.chance(0.05) ? random.pick(PAYROLL_NOTES) : null,
      created_at: calendar.past(calendar.at(last - (isRunning ? 31 : 4), 9, random.int(0, 59))),
    };
  });
}

async function insertPayTerms(
  client: ClientBase,
  staff: readonly StaffRecord[],
  calendar: Calendar,
  created_by: string,
): Promise<void> {
  const random = new Random('pay terms');
  const bases = staff.map(({ id, person, salary, frequency }, number) => ({
    id: idOf('pay basis', number),
    staff_id: id,
    effective_from: calendar.date(person.joined),
    payment_frequency: frequency,
    amount: salary.toFixed(2),
    created_by,
  }));
  await insertRows(client, 'pay_bases', bases);
  const current = staff.filter(({ person }) => person.left === undefined);
  const items = current.flatMap(({ id, frequency }) =>
    frequency === 'monthly' && random.chance(0.1)
      ? [{ staff_id: id, name: 'Transport', amount: random.int(2, 6) * 2.5 }]
      : [],
  );
  await insertRows(
    client,
    'pay_items',
    items.map((item, number) => ({
      id: idOf('pay item', number),
      ...item,
      kind: 'allowance',
      taxable: false,
      effective_from: calendar.month(-4).first,
      created_by,
    })),
  );
  const issues = current.flatMap(({ id, frequency }) => {
    if (frequency !== 'monthly' || !random.chance(0.12)) return [];
    const parts = random.int(2, 6);
    const part = random.int(2, 6) * 5;
    const kind = random.pick(['advance', 'advance', 'loan', 'uniform'] as const);
    return [{ staff_id: id, kind, amount: parts * part, repay_per_period: part }];
  });
  await insertRows(
    client,
    'staff_ledger',
    issues.map((issue, number) => ({
      id: idOf('ledger', number),
      ...issue,
      entry: 'issue',
      day: calendar.month(-3).first,
      repay_from: calendar.month(-3).first,
      created_by,
      created_at: iso(calendar.at(calendar.dayOf(calendar.month(-3).first), 9)),
    })),
  );
}

const HOME_AREAS = [
  'Paynesville, ELWA Junction',
  'Paynesville, Red Light',
  'Sinkor, 12th Street',
  'Congo Town',
  'Old Road',
  'Gardnersville',
  'Bushrod Island, Duala',
  'New Kru Town',
  'Caldwell',
  'Brewerville',
];

export async function insertStaffAndPayroll({ client, people, calendar }: Loading): Promise<void> {
  const created_by = people.named('admin').id;
  const random = new Random('payroll');
  const staff = makeStaff(people);
  const numbers = new Random('tax numbers of people');
  const records = staff.map(({ id, person, phone, salary, frequency }, number) => ({
    id,
    // A few have not said theirs yet.
    tin: number < 2 || numbers.chance(0.94) ? String(500_012_345 + number * 137) : null,
    nasscorp_number: number < 2 || numbers.chance(0.96) ? String(104_500_217 + number * 211) : null,
    full_name: person.fullName,
    email: person.email,
    phone,
    role: person.role === 'guard' ? 'guard' : 'admin',
    hire_date: calendar.date(person.joined),
    salary_amount: salary.toFixed(2),
    payment_frequency: frequency,
    status: person.left === undefined ? 'active' : 'inactive',
    end_date: person.left === undefined ? null : calendar.date(person.left),
    user_id: person.id,
    created_by,
    created_at: iso(calendar.at(person.joined, 9, 30)),
  }));
  await insertRows(client, 'staff', records);
  await client.query(
    `update public.company_numbers set tin = '500104400', nasscorp_number = '100044210'`,
  );
  await insertPayTerms(client, staff, calendar, people.named('finance').id);
  const homes = new Random('homes');
  const contacts = records.map(({ user_id, phone, end_date }) => ({
    id: user_id,
    phone: phone.replaceAll(' ', ''),
    home_area: homes.pick(HOME_AREAS),
    left_on: end_date,
  }));
  const columns = { id: 'uuid', phone: 'text', home_area: 'text', left_on: 'date' };
  const { from, values } = asRows(columns, contacts);
  await client.query(
    `update public.profiles p set phone = r.phone, home_area = r.home_area, left_on = r.left_on
     from ${from} where p.id = r.id`,
    values,
  );
  const rows = staff
    .flatMap((record) => payslips(record, random, calendar))
    .map((row, number) => ({ id: idOf('payroll', number), ...row, created_by }));
  await insertRows(client, 'payroll', rows, { net_amount: 'base_amount - deductions + bonuses' });
}
