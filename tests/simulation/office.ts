// The office's days: today's shifts, and what guards left behind yesterday.
import { addDays, instantOf, MINUTE_MS } from './clock.ts';
import { accepted } from './door.ts';
import { type Duty, planDuty, replace } from './duties.ts';
import type { World } from './world.ts';

/** Shifts begin at 06:00 and 18:00. */
const FILLED_AHEAD_MS = 2 * 60 * MINUTE_MS;

const DUTY =
  'id, user_id, starts_at, on_leave, shift:shifts!inner(id, start_time, end_time, site_id)' as const;

/** The shifts that begin on a day, as the office's list shows them. */
export async function planDay(world: World, day: string): Promise<void> {
  const { operations, guards, sites } = world.company;
  const { data } = accepted(
    await operations.client
      .from('assignments')
      .select(DUTY)
      .in('status', ['assigned', 'confirmed'])
      .gte('starts_at', `${day}T00:00:00Z`)
      .lt('starts_at', `${addDays(day, 1)}T00:00:00Z`)
      .order('starts_at')
      .order('id'),
  );
  const duties = (data ?? []).flatMap(({ id, user_id, on_leave, shift }): Duty[] => {
    const guard = guards.find((one) => one.id === user_id);
    const site = sites.find((one) => one.id === shift.site_id);
    if (!guard || !site || on_leave) return [];
    return [
      {
        id,
        shiftId: shift.id,
        guard,
        site,
        start: Date.parse(shift.start_time),
        end: Date.parse(shift.end_time),
      },
    ];
  });
  const order = (duty: Duty) =>
    `${duty.start} ${duty.site.name} ${String(duty.guard.number).padStart(4, '0')}`;
  for (const duty of duties.toSorted((a, b) => order(a).localeCompare(order(b))))
    planDuty(world, duty);
}

/** Clock-outs that were forgotten: HR enters the end of the shift. */
async function enterForgotten(world: World): Promise<string> {
  const { hr } = world.company;
  const { data } = accepted(
    await hr.client
      .from('attendance')
      .select('id, clock_in_at, assignment:assignments!inner(period, shift:shifts!inner(end_time))')
      .is('clock_out_at', null)
      .order('clock_in_at'),
  );
  const due = (data ?? []).filter(
    ({ assignment }) =>
      Date.parse(assignment.shift.end_time) < world.agenda.now - 4 * 60 * MINUTE_MS,
  );
  for (const { id, clock_in_at, assignment } of due) {
    const { end_time } = assignment.shift;
    accepted(
      await hr.client
        .from('attendance')
        .update({
          clock_out_at: Date.parse(end_time) > Date.parse(clock_in_at) ? end_time : clock_in_at,
          correction_reason: 'The relief saw the guard leave',
        })
        .eq('id', id),
    );
  }
  return `${due.length} entered`;
}

/** Exceptions of the last days. */
async function review(world: World): Promise<string> {
  const { operations } = world.company;
  const { data } = accepted(
    await operations.client
      .from('attendance')
      .select('id')
      .eq('needs_review', true)
      .order('clock_in_at'),
  );
  for (const { id } of data ?? [])
    accepted(
      await operations.client
        .from('attendance')
        .update({ needs_review: false, resolution: 'The duty book agrees' })
        .eq('id', id)
        .eq('needs_review', true),
    );
  return `${data?.length ?? 0} resolved`;
}

/** Seats of the next hours that leave and refusals have emptied. */
async function fillSeats(world: World): Promise<string> {
  const { agenda } = world;
  const { operations, sites } = world.company;
  const { data } = accepted(
    await operations.client
      .from('shift_board')
      .select('id, site_id, start_time, end_time, required_headcount, assigned')
      .gt('start_time', new Date(agenda.now).toISOString())
      .lt('start_time', new Date(agenda.now + FILLED_AHEAD_MS).toISOString())
      .order('start_time')
      .order('site_name'),
  );
  const told: string[] = [];
  for (const shift of data ?? []) {
    const site = sites.find(({ id }) => id === shift.site_id);
    if (!site || shift.assigned >= shift.required_headcount) continue;
    const [start, end] = [Date.parse(shift.start_time), Date.parse(shift.end_time)];
    told.push(await replace(world, { shiftId: shift.id, site, start, end }));
  }
  return told.join('; ') || 'all are filled';
}

export function planOffice(world: World, day: string): void {
  const { agenda } = world;
  for (const time of ['04:40', '16:40'])
    agenda.add(instantOf(day, time), 'operations fills the seats of the coming shifts', () =>
      fillSeats(world),
    );
  agenda.add(instantOf(day, '10:00'), 'HR enters forgotten clock-outs', () =>
    enterForgotten(world),
  );
  agenda.add(instantOf(day, '10:30'), 'operations resolves exceptions', () => review(world));
}
