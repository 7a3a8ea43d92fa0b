// Invariants of staffing on screens: they ask as a user does, and compare with the tables.
import { z } from 'zod';
import { effectiveRoster } from '#shared/roster/effective.ts';
import { rosterBoardSchema } from '#shared/roster/input.ts';
import { addDays, DAY_MS, dayOf } from './clock.ts';
import { accepted } from './door.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import type { World } from './world.ts';

/** Open seats by shift, from the tables alone. The company's zone has UTC all year. */
const OPEN = `
  select s.id, s.start_time, s.required_headcount as required, g.guards,
    greatest(s.required_headcount - g.guards, 0)::int as open
  from shifts s cross join lateral (
    select count(*)::int as guards from assignments a
    where a.shift_id = s.id and a.status in ('assigned', 'confirmed', 'completed') and not exists (
      select from leave_requests l where l.user_id = a.user_id and l.status = 'approved'
        and greatest(s.start_time, coalesce(a.joins_at, s.start_time)) < (l.end_date + 1)::timestamp at time zone 'UTC'
        and s.end_time > l.start_date::timestamp at time zone 'UTC')
  ) g
  where s.end_time > now() and s.start_time < now() + interval '3 days'`;

const operationsSchema = z.object({
  shifts: z.array(z.object({ id: z.string(), empty: z.number(), ends: z.string() })),
});

interface Shift {
  id: string;
  start_time: Date;
  required: number;
  /** Who hold a seat, also more than are required. */
  guards: number;
  open: number;
}

type Seats = Map<string, number>;

const differences = (ours: Seats, theirs: Seats): string[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((id) =>
    (ours.get(id) ?? 0) === (theirs.get(id) ?? 0)
      ? []
      : [`shift ${id}: ${ours.get(id) ?? 0} by the tables, ${theirs.get(id) ?? 0} on the screen`],
  );

const sumOf = (shifts: Shift[], figure: 'required' | 'guards' | 'open'): number =>
  shifts.reduce((sum, shift) => sum + shift[figure], 0);

const figuresThatDiffer = (ours: Record<string, number>, theirs: object | null): string[] =>
  Object.entries({ ...theirs }).flatMap(([name, shown]) =>
    ours[name] === undefined || ours[name] === shown
      ? []
      : [`${name}: ${ours[name]} by the tables, ${shown} on the screen`],
  );

/** The coming shifts of a day. */
async function compareDashboard({ company }: World, shifts: Shift[], now: number) {
  const coming = shifts.filter(
    ({ start_time }) => start_time.getTime() > now && start_time.getTime() <= now + DAY_MS,
  );
  const { data } = accepted(
    await company.operations.client.rpc('dashboard_start', { p_hours: 24 }).single(),
  );
  const ours = { next_required: sumOf(coming, 'required'), next_missing: sumOf(coming, 'open') };
  return figuresThatDiffer(ours, data);
}

/** With and without the filter of open shifts. */
async function compareTotals({ company }: World, shifts: Shift[], until: number) {
  const { client } = company.operations;
  const p_to = new Date(until).toISOString();
  const rows: string[] = [];
  for (const filter of [{}, { p_staffing: 'open' }]) {
    const listed = shifts.filter(({ open }) => !filter.p_staffing || open > 0);
    const { data } = accepted(await client.rpc('shift_totals', { p_to, ...filter }).single());
    const ours = {
      shifts: listed.length,
      assigned: sumOf(listed, 'guards'),
      required: sumOf(listed, 'required'),
    };
    rows.push(...figuresThatDiffer(ours, data));
  }
  return rows;
}

/** Open seats are equal on the list of shifts, the roster and the operations board. */
export async function checkOpenSeats(world: World, facts: Facts): Promise<Broken[]> {
  const { operations } = world.company;
  const all = await facts.sql<Shift & Record<string, unknown>>(OPEN);
  const rows = all.filter(({ open }) => open > 0);
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
    { name: 'open seats are equal: dashboard', rows: await compareDashboard(world, all, now) },
    {
      name: 'open seats are equal: totals of the list',
      rows: await compareTotals(world, all, until),
    },
  ]);
}
