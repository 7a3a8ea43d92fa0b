// Hours become pay: what is open in a timesheet is decided, HR approves it.
import { addDays, instantOf } from './clock.ts';
import { accepted } from './door.ts';
import type { World } from './world.ts';

/** After the last day of a period, so that phones and the office have had a day. */
const APPROVED_AFTER_DAYS = 2;
const DECISIONS = ['early_arrival', 'stayed_on', 'overtime', 'rest_override'] as const;

async function solveIssues(world: World, ids: string[]): Promise<void> {
  const { operations } = world.company;
  if (ids.length === 0) return;
  const { data } = accepted(
    await operations.client.rpc('timesheet_issues', { p_timesheet_ids: ids }),
  );
  for (const { kind, attendance_id, assignment_id, end_time } of data ?? []) {
    const decision = DECISIONS.find((one) => one === kind);
    if (decision !== undefined && attendance_id !== null)
      accepted(
        await operations.client.rpc('decide_time', {
          p_attendance_id: attendance_id,
          p_kind: decision,
          p_approved: true,
        }),
      );
    else if (kind === 'missing_clock_in' && assignment_id !== null)
      accepted(
        await operations.client.rpc('mark_no_show', {
          p_assignment_id: assignment_id,
          p_reason: 'Nobody saw the guard',
        }),
      );
    else if (kind === 'missing_clock_out' && attendance_id !== null)
      accepted(
        await operations.client
          .from('attendance')
          .update({ clock_out_at: end_time, correction_reason: 'The relief saw the guard leave' })
          .eq('id', attendance_id),
      );
    else if (attendance_id !== null)
      accepted(
        await operations.client
          .from('attendance')
          .update({ needs_review: false, resolution: 'The duty book agrees' })
          .eq('id', attendance_id)
          .eq('needs_review', true),
      );
  }
}

async function approve(world: World, day: string): Promise<string> {
  const { admin, hr, guards } = world.company;
  const { data } = accepted(
    await hr.client
      .from('timesheets')
      .select('id, user_id, period_start, open_issues')
      .in('status', ['open', 'submitted'])
      .lte('period_end', addDays(day, -APPROVED_AFTER_DAYS))
      .order('period_start')
      .order('id'),
  );
  const numbers = new Map(guards.map(({ id, number }) => [id, number]));
  const sheets = (data ?? []).toSorted(
    (a, b) => (numbers.get(a.user_id) ?? 0) - (numbers.get(b.user_id) ?? 0),
  );
  if (sheets.length === 0) return 'nothing to approve';
  await solveIssues(
    world,
    sheets.filter(({ open_issues }) => open_issues > 0).map(({ id }) => id),
  );
  const told: string[] = [];
  // Nobody approves their own.
  for (const person of [hr, admin]) {
    const ids = sheets.flatMap(({ id, user_id }) =>
      (user_id === hr.id) === (person === admin) ? [id] : [],
    );
    if (ids.length === 0) continue;
    const { data: answer } = accepted(
      await person.client.rpc('approve_timesheets', { ids }).single(),
    );
    const refused = JSON.stringify(answer?.refused ?? []);
    told.push(
      `${answer?.approved} approved${refused === '[]' ? '' : `, refused: ${refused.slice(0, 200)}`}`,
    );
  }
  return told.join('; ');
}

export function planHours(world: World, day: string): void {
  world.agenda.add(instantOf(day, '11:30'), 'HR approves timesheets', () => approve(world, day));
}
