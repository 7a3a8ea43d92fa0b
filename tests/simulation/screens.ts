// Invariants of what screens show: they ask as a user does, and compare with the tables.
import { z } from 'zod';
import { effectiveRoster } from '#shared/roster/effective.ts';
import { rosterBoardSchema } from '#shared/roster/input.ts';
import { addDays, DAY_MS, dayOf } from './clock.ts';
import { accepted } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
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
export async function checkOpenSeats(world: World, facts: Facts): Promise<Broken[]> {
  const { operations } = world.company;
  const rows = await facts.sql<{ id: string; start_time: Date; open: number }>(
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
  return brokenOf([
    { name: 'open seats are equal: list of shifts', rows: differences(ours, shifts) },
    { name: 'open seats are equal: roster', rows: differences(ours, planned) },
    { name: 'open seats are equal: operations board', rows: differences(soon, seen) },
  ]);
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

type Entries = z.infer<typeof journalSchema>;

/** As finance exports it. */
export async function fetchJournal({ company }: World): Promise<unknown> {
  const span = { p_from: company.opensOn, p_to: addDays(dayOf(Date.now()), 40) };
  return accepted(await company.finance.client.rpc('journal_lines', span)).data;
}

/** What documents of each kind and currency sum up to. The first side of each entry is booked with a debit. */
const DOCUMENT_SUMS = `
  select 'invoice' as kind, currency, sum(total) as total from invoices where status <> 'draft' group by 2
  union all select 'credit_note', currency, sum(amount) from credit_notes group by 2
  union all select 'receipt', currency, sum(amount) from receipts group by 2
  union all select 'receipt_void', currency, sum(amount) from receipts where voided_at is not null group by 2`;

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

const unbalanced = (entries: Entries): string[] => {
  const sums = new Map<string, number>();
  for (const { day, kind, document, debit, credit, currency } of entries)
    addTo(sums, `${kind} ${document} ${day} ${currency}`, cents(debit) - cents(credit));
  return [...sums].flatMap(([key, sum]) => (sum === 0 ? [] : [`${key}: ${sum} cents`]));
};

/** @param journal what `journal_lines` has answered */
export async function checkJournal(facts: Facts, journal: unknown): Promise<Broken[]> {
  const entries = journalSchema.parse(journal);
  const rows = await facts.sql<{ kind: string; currency: string; total: string }>(DOCUMENT_SUMS);
  const ours = new Map(
    rows.map(({ kind, currency, total }) => [`${kind} ${currency}`, cents(total)]),
  );
  const theirs = new Map<string, number>();
  for (const { kind, debit, currency } of entries)
    if (/^(invoice|credit_note|receipt|receipt_void)$/.test(kind))
      addTo(theirs, `${kind} ${currency}`, cents(debit));
  return brokenOf([
    { name: 'the journal balances by document, day and currency', rows: unbalanced(entries) },
    {
      name: 'the journal equals the documents',
      rows: [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key) =>
        (ours.get(key) ?? 0) === (theirs.get(key) ?? 0)
          ? []
          : [`${key}: ${ours.get(key) ?? 0} cents by the tables, ${theirs.get(key) ?? 0} booked`],
      ),
    },
  ]);
}
