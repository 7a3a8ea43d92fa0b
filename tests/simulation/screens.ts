// Invariants of what screens show: they ask as a user does, and compare with the tables.
import { z } from 'zod';
import { effectiveRoster } from '#shared/roster/effective.ts';
import { rosterBoardSchema } from '#shared/roster/input.ts';
import { addDays, DAY_MS, dayOf } from './clock.ts';
import { accepted } from './door.ts';
import type { Broken } from './invariant.ts';
import type { World } from './world.ts';

/** Open seats by shift, from the tables alone. The company's zone has UTC all year. */
const OPEN = `
  select s.id, s.start_time, greatest(s.required_headcount - (
    select count(*) from assignments a
    where a.shift_id = s.id and a.status in ('assigned', 'confirmed', 'completed') and not exists (
      select from leave_requests l where l.user_id = a.user_id and l.status = 'approved'
        and greatest(s.start_time, coalesce(a.joins_at, s.start_time)) < (l.end_date + 1)::timestamp at time zone 'UTC'
        and s.end_time > l.start_date::timestamp at time zone 'UTC')
  ), 0)::int as open
  from shifts s where s.end_time > now() and s.start_time < now() + interval '3 days'`;

const operationsSchema = z.object({
  shifts: z.array(z.object({ id: z.string(), empty: z.number(), ends: z.string() })),
});

type Seats = Map<string, number>;

const differences = (ours: Seats, theirs: Seats): string[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) =>
    (ours.get(id) ?? 0) === (theirs.get(id) ?? 0)
      ? []
      : [`shift ${id}: ${ours.get(id) ?? 0} by the tables, ${theirs.get(id) ?? 0} on the screen`],
  );

/** Open seats are equal on the list of shifts, the roster and the operations board. */
export async function checkOpenSeats(world: World): Promise<Broken[]> {
  const { operations } = world.company;
  const rows = await world.product.sql<{ id: string; start_time: Date; open: number }>(
    `select * from (${OPEN}) o where open > 0`,
  );
  const ours: Seats = new Map(rows.map(({ id, open }) => [id, open]));
  const now = Date.now();
  const until = now + 3 * DAY_MS;

  const { data: board } = accepted(
    await operations.client
      .from('shift_board')
      .select('id, required_headcount, assigned')
      .gt('end_time', new Date(now).toISOString())
      .lt('start_time', new Date(until).toISOString()),
  );
  const shifts: Seats = new Map(
    (board ?? []).flatMap(({ id, required_headcount, assigned }) =>
      required_headcount > assigned ? [[id, required_headcount - assigned]] : [],
    ),
  );

  const today = dayOf(now);
  const { data } = accepted(
    await operations.client.rpc('roster_board', {
      p_from: addDays(today, -1),
      p_to: addDays(today, 4),
    }),
  );
  const roster = rosterBoardSchema.parse(data);
  const effective = effectiveRoster({ ...roster, changes: [] });
  const planned: Seats = new Map(
    roster.shifts.flatMap(({ id, headcount, start, end }) => {
      const open = headcount - effective.peopleOn(id).size;
      return open > 0 && end * 60_000 > now && start * 60_000 < until ? [[id, open]] : [];
    }),
  );

  const { data: watched } = accepted(
    await operations.client.rpc('operations_board', {
      p_from: new Date(now - DAY_MS).toISOString(),
      p_to: new Date(now + DAY_MS).toISOString(),
    }),
  );
  const seen: Seats = new Map(
    operationsSchema
      .parse(watched)
      .shifts.flatMap(({ id, empty, ends }) =>
        empty > 0 && Date.parse(ends) > now ? [[id, empty]] : [],
      ),
  );
  const soon: Seats = new Map(
    rows.flatMap(({ id, start_time, open }) =>
      start_time.getTime() < now + DAY_MS ? [[id, open]] : [],
    ),
  );
  return [
    { name: 'open seats are equal: list of shifts', rows: differences(ours, shifts) },
    { name: 'open seats are equal: roster', rows: differences(ours, planned) },
    { name: 'open seats are equal: operations board', rows: differences(soon, seen) },
  ].filter((one) => one.rows.length > 0);
}

const journalSchema = z.array(
  z.object({
    day: z.string(),
    kind: z.string(),
    document: z.string(),
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
  }),
);
const cents = (amount: string | number): number => Math.round(Number(amount) * 100);

/** The journal balances by document, day and currency, and its sums are those of the documents. */
export async function checkJournal(world: World): Promise<Broken[]> {
  const { finance, opensOn } = world.company;
  const to = addDays(dayOf(Date.now()), 40);
  const { data } = accepted(
    await finance.client.rpc('journal_lines', { p_from: opensOn, p_to: to }),
  );
  const entries = journalSchema.parse(data);
  const sums = new Map<string, number>();
  const debits = new Map<string, number>();
  for (const { day, kind, document, debit, credit, currency } of entries) {
    const key = `${kind} ${document} ${day} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0) + cents(debit) - cents(credit));
    debits.set(kind, (debits.get(kind) ?? 0) + cents(debit));
  }
  const [totals] = await world.product.sql<Record<string, string>>(
    `select (select coalesce(sum(total), 0) from invoices where status <> 'draft') as invoice,
       (select coalesce(sum(amount), 0) from credit_notes) as credit_note,
       (select coalesce(sum(amount), 0) from receipts) as receipt,
       (select coalesce(sum(amount), 0) from receipts where voided_at is not null) as receipt_void`,
  );
  return [
    {
      name: 'the journal balances by document, day and currency',
      rows: [...sums].flatMap(([key, sum]) => (sum === 0 ? [] : [`${key}: ${sum} cents`])),
    },
    {
      name: 'the journal equals the documents',
      rows: Object.entries(totals ?? {}).flatMap(([kind, total]) =>
        cents(total) === (debits.get(kind) ?? 0)
          ? []
          : [
              `${kind}: ${cents(total)} cents by the tables, ${debits.get(kind) ?? 0} in the journal`,
            ],
      ),
    },
  ].filter((one) => one.rows.length > 0);
}
