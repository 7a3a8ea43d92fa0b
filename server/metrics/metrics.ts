// Metrics of the company's own work: mails and notices that wait, alerts, and repeated jobs.
import type { Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { counter, gauge, type Metric } from 'supabase-in-node/metrics';
import { oneRow } from 'supabase-in-node/metrics-of-database';
import { hasTable } from 'supabase-in-node/with-client';
import { z } from 'zod';
import { failedRuns, secondsOfRuns } from '../operations/jobs.ts';
import { isJobLate, WORK } from '../operations/work.ts';

const Queue = z.object({
  queue: z.string(),
  waiting: z.number(),
  /** Seconds that the first one is past its time. */
  overdue: z.number(),
  failed: z.number(),
});
const Job = z.object({
  job: z.string(),
  runs: z.number(),
  last: z.number().nullable(),
  next: z.number(),
});
const Facts = z.object({
  queues: z.array(Queue),
  jobs: z.array(Job),
  alerts: z.number(),
  unacknowledged: z.number(),
});

/** Their names are parts of labels. A mail whose last attempt failed has no next one. */
const MAILS = [
  'letter_mails',
  'invoice_mail_queue',
  'quote_mail_queue',
  'payment_reminder_queue',
  'enquiry_mails',
  'daily_report_mails',
] as const;

const MAIL_QUEUES = MAILS.map(
  (table) => `select '${table}' as queue, count(q.next_at) as waiting,
    coalesce(extract(epoch from now() - min(q.next_at)), 0) as overdue, count(*) - count(q.next_at) as failed
    from private.${table} q`,
).join(' union all ');

const FACTS = `
  select (
    select jsonb_agg(jsonb_build_object('queue', q.queue, 'waiting', q.waiting, 'overdue', greatest(q.overdue, 0),
      'failed', q.failed))
    from (
      ${MAIL_QUEUES}
      union all
      select 'notices_' || c.channel, count(d.id) filter (where d.state <> 'failed'),
        coalesce(extract(epoch from now() - min(d.next_at) filter (where d.state <> 'failed')), 0),
        count(d.id) filter (where d.state = 'failed' and d.created_at > now() - interval '1 day')
      from unnest(array['push', 'email', 'sms']) c (channel)
      left join private.notice_deliveries d on d.channel = c.channel and d.state <> 'sent'
      group by c.channel
    ) q
  ) as queues, (
    select coalesce(jsonb_agg(jsonb_build_object('job', j.name, 'runs', j.runs,
      'last', extract(epoch from j.last_run_at), 'next', extract(epoch from j.next_at))), '[]')
    from private.jobs j
  ) as jobs, count(a.id)::integer as alerts,
    (count(a.id) filter (where a.acknowledged_at is null))::integer as unacknowledged
  from public.alerts a where a.closed_at is null`;

/** @throws when the database does not answer */
export async function companyFacts(owner: Pool): Promise<z.output<typeof Facts> | undefined> {
  // Another project served from PROJECT_DIR has none of it.
  if (!(await hasTable(owner, 'private.jobs'))) return undefined;
  return Facts.parse(await oneRow(owner, FACTS));
}

/** @throws when the database does not answer */
export async function companyMetrics({ database }: Context): Promise<Metric[]> {
  const facts = await companyFacts(database.owner);
  if (facts === undefined) return [];
  const { queues, jobs, alerts, unacknowledged } = facts;
  const nextRuns = new Map(jobs.map(({ job, next }) => [job, next]));
  const ofQueues = (value: (queue: z.output<typeof Queue>) => number) =>
    queues.map((queue) => ({ labels: { queue: queue.queue }, value: value(queue) }));
  return [
    gauge('queue_waiting', 'Messages to send.', ...ofQueues(({ waiting }) => waiting)),
    gauge(
      'queue_overdue_seconds',
      'How late the first one is.',
      ...ofQueues((queue) => queue.overdue),
    ),
    gauge(
      'queue_failed',
      'Given up; notices of the last day.',
      ...ofQueues(({ failed }) => failed),
    ),
    gauge('alerts_open', 'Alerts of the control room that are not closed.', { value: alerts }),
    gauge('alerts_unacknowledged', 'Open ones that nobody has taken.', { value: unacknowledged }),
    counter(
      'job_runs_total',
      'Completed runs by all servers.',
      ...jobs.map(({ job, runs }) => ({ labels: { job }, value: runs })),
    ),
    counter(
      'job_failures_total',
      'Runs that failed in this process.',
      ...[...failedRuns].map(([job, { count }]) => ({ labels: { job }, value: count })),
    ),
    counter(
      'job_run_seconds_total',
      'Time that this process has waited for runs of the job.',
      ...[...secondsOfRuns].map(([job, value]) => ({ labels: { job }, value })),
    ),
    gauge(
      'job_last_run_timestamp_seconds',
      'When the job last ended well.',
      ...jobs.flatMap(({ job, last }) => (last === null ? [] : [{ labels: { job }, value: last }])),
    ),
    gauge(
      'job_late',
      '1 if the job is later than it may be.',
      ...WORK.map((work) => ({
        labels: { job: work.name },
        value: isJobLate(work, nextRuns.get(work.name)) ? 1 : 0,
      })),
    ),
  ];
}
