// Welfare checks: guards answer in time, early, by text message, late, or not at all, and the control room hears of those.
import { Random } from '#demo/random.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { Guard } from './company.ts';
import { accepted, refusalOf } from './door.ts';
import type { Invariant } from './invariant.ts';
import { uuidFrom } from './lists.ts';
import { sendText } from './ways.ts';
import type { World } from './world.ts';

const LOOKED_EVERY_HOURS = 3;

/** Two reminders, five minutes apart, and the alert, five minutes later. */
export const WELFARE: readonly Invariant[] = [
  {
    name: 'a welfare check without an answer in time has one alert, and no other has one',
    // Who was asked late, after the server was off, has a minute between the steps.
    sql: `
      select c.id, c.asked_at, c.answered_at, c.received_at, c.ended_at, l.raised_at
      from welfare_checks c left join alerts l on l.cause = 'welfare:' || c.id
      where (c.alerted_at is null) <> (l.id is null)
        or l.id is null and c.answered_at is null and c.ended_at is null and c.asked_at < now() - interval '17 minutes'
        or l.raised_at < c.due_at + interval '15 minutes' or l.raised_at > c.received_at or l.raised_at > c.ended_at
        or c.reminders < 2 and l.id is not null
      union all
      select l.id, null, null, null, null, l.raised_at from alerts l
      where l.kind = 'welfare' and l.raised_at > now() - interval '60 days'
        and not exists (select from welfare_checks c where l.cause = 'welfare:' || c.id)`,
  },
  {
    name: 'the alert of a welfare check is open until an answer, the end of the work, or somebody who closes it',
    sql: `
      select c.id, c.answered_at, c.received_at, c.ended_at, l.closed_at, l.outcome
      from welfare_checks c join alerts l on l.cause = 'welfare:' || c.id
      where l.closed_by is null and (l.closed_at is null) <> (c.answered_at is null and c.ended_at is null)`,
  },
  {
    name: 'a guard is asked once, and reminded twice at most',
    sql: `
      select c.id, c.reminders, count(n.id)::int as notices from welfare_checks c
      left join notices n on n.kind = 'welfare' and n.user_id = c.user_id and n.dedupe_key like 'welfare:' || c.id || ':%'
      where c.due_at > now() - interval '60 days' group by c.id
      having count(n.id) <> case when c.asked_at is null then 0 else c.reminders + 1 end`,
  },
  {
    name: 'an alert that nobody answers is escalated twice, and none that somebody has answered',
    sql: `
      select l.id, l.kind, l.escalations, l.raised_at, l.escalated_at, l.acknowledged_at from alerts l
      join sites t on t.id = l.site_id cross join lateral (select make_interval(mins => t.escalate_after_minutes) as pause) e
      where l.escalations not between 0 and 2 or l.escalated_at > l.acknowledged_at + interval '1 second'
        or l.closed_at is null and l.acknowledged_at is null and l.escalations < 2
          and coalesce(l.escalated_at, l.raised_at) < now() - e.pause - interval '2 minutes'`,
  },
];

interface Check {
  id: string;
  assignment: string;
  user: string;
  /** The full minute: guards clock in within one. */
  due: Date;
}

const COMING = `
  select id, assignment_id as assignment, user_id as user, date_trunc('minute', due_at) as due from welfare_checks
  where due_at > $1 and due_at < $1::timestamptz + interval '${LOOKED_EVERY_HOURS} hours 10 minutes'
    and answered_at is null and ended_at is null`;

function planCheck(world: World, guard: Guard, { id, assignment, due }: Check): void {
  const { agenda, company, size } = world;
  const random = new Random(
    `simulation/${size.seed}/welfare/${guard.number}/${due.toISOString().slice(0, 16)}`,
  );
  const turn = random.among({ prompt: 55, early: 10, reminded: 10, texts: 10, silent: 15 });
  const at = (minutes: number, what: string, run: () => Promise<string | undefined>): void =>
    // What the product has to ask and remind by then is asked.
    agenda.add(
      due.getTime() + minutes * MINUTE_MS,
      `${what} the check of ${guard.name}`,
      run,
      true,
    );
  const answer = async (pressedAt: number): Promise<undefined> => {
    // The answer is lost, so it is sent again.
    for (const _ of [1, 2])
      accepted(
        await guard.client.rpc('answer_welfare_check', {
          p_assignment_id: assignment,
          p_device_at: new Date(pressedAt).toISOString(),
          p_sent_at: new Date().toISOString(),
        }),
      );
  };
  const messageId = uuidFrom(random);
  const late = random.among({ sends: 40, never: 30, closed: 30 });
  const isAcknowledged = random.chance(0.5);
  if (turn === 'early') at(-3, 'answers before', () => answer(Date.now()));
  if (turn === 'prompt') at(2, 'answers', () => answer(Date.now()));
  if (turn === 'reminded') {
    at(6, 'does not hear', async () => undefined);
    at(8, 'answers the reminder of', () => answer(Date.now()));
  }
  if (turn === 'texts')
    at(3, 'answers by text message', async () => {
      const { outcome } = await sendText(world, guard, 'OK', messageId, Date.now());
      return outcome ?? undefined;
    });
  if (turn !== 'silent') return;
  for (const minutes of [1, 6, 11, 16]) at(minutes, 'does not hear', async () => undefined);
  const act = async (run: (alert: string) => Promise<unknown>): Promise<string | undefined> => {
    const { data } = accepted(
      await company.dispatcher.client
        .from('alerts')
        .select('id')
        .eq('cause', `welfare:${id}`)
        .is('closed_at', null)
        .maybeSingle(),
    );
    return data ? refusalOf(() => run(data.id)) : 'is over';
  };
  if (isAcknowledged)
    at(18, 'the dispatcher looks into', () =>
      act(async (p_alert_id) =>
        accepted(await company.dispatcher.client.rpc('acknowledge_alert', { p_alert_id })),
      ),
    );
  for (const minutes of [21, 27]) at(minutes, 'nobody has answered', async () => undefined);
  // The phone had no network when the guard pressed.
  if (late === 'sends')
    at(42, 'late comes the answer to', () => answer(due.getTime() + 4 * MINUTE_MS));
  if (late === 'closed')
    at(45, 'the dispatcher closes', () =>
      act(async (p_alert_id) =>
        accepted(
          await company.dispatcher.client.rpc('close_alert', {
            ...{ p_alert_id, p_outcome: 'excused', p_note: 'The relief saw the guard' },
          }),
        ),
      ),
    );
}

export function planWelfare(world: World, day: string): void {
  const { agenda, company, product, welfare } = world;
  for (let hour = 0; hour < 24; hour += LOOKED_EVERY_HOURS)
    agenda.add(
      instantOf(day, `${String(hour).padStart(2, '0')}:12`),
      'guards look ahead to their welfare checks',
      async () => {
        const now = new Date(agenda.now);
        const rows = await product.sql<Check & Record<string, unknown>>(COMING, [now]);
        const checks = rows.flatMap((check) => {
          const guard = company.guards.find(({ id }) => id === check.user);
          return guard && !welfare.has(check.id) ? [{ check, guard }] : [];
        });
        checks.sort(
          (a, b) =>
            a.guard.number - b.guard.number || a.check.due.getTime() - b.check.due.getTime(),
        );
        for (const { check, guard } of checks) {
          welfare.add(check.id);
          planCheck(world, guard, check);
        }
        return `${checks.length}`;
      },
      // Checks of who has just clocked in are made by a job.
      true,
    );
}
