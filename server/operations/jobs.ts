// Repeated jobs of the control room. PostgreSQL shares the runs among the servers.
import type { FastifyPluginAsync } from 'fastify';
import { DatabaseError, type Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { layOut } from 'supabase-in-node/mail-layout';
import { MailQueue } from 'supabase-in-node/mail-queue';
import { Rounds } from 'supabase-in-node/rounds';
import type { Tracing } from 'supabase-in-node/tracing';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import { reportFacts, reportMessage } from './report-message.ts';
import { JOBS, type Job, OTHER_JOBS, URGENT_JOBS, WORK } from './work.ts';

const LOOK_EVERY_MS = 1_000;
/** After a database error. */
const LOOK_AGAIN_MS = 5_000;
/** How long a job may delay the stop; after that it is cancelled, and runs again at the next start. */
const STOP_MS = 1_000;

/** Runs that failed in this process. */
interface Failures {
  count: number;
  /** Time of the last one. */
  at: Date | undefined;
  /** Its SQLSTATE: messages may have values of rows. */
  code: string;
}

/** By job. */
export const failedRuns = new Map<string, Failures>(
  WORK.map(({ name }) => [name, { count: 0, at: undefined, code: '' }]),
);

/** By job: time that this process has waited for its runs. */
export const secondsOfRuns = new Map<string, number>(JOBS.map(({ name }) => [name, 0]));

export function countFailure(name: string, error: unknown): void {
  failedRuns.set(name, {
    count: (failedRuns.get(name)?.count ?? 0) + 1,
    at: new Date(),
    code: error instanceof DatabaseError ? (error.code ?? '') : '',
  });
}

export function operations({ database, mailer, siteUrl, tracing }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no jobs.
    if (!(await hasTable(database.owner, 'private.jobs'))) return;
    const repeat = (jobs: readonly Job[]): Rounds => {
      const rounds: Rounds = new Rounds(() => runDueJobs(jobs, database.owner, tracing, rounds), {
        everyMs: LOOK_EVERY_MS,
        afterErrorMs: LOOK_AGAIN_MS,
        stopMs: STOP_MS,
        onError: (error) => {
          const errors = error instanceof AggregateError ? error.errors : [error];
          for (const err of errors) app.log.error({ err }, 'jobs of the control room failed');
        },
      });
      return rounds;
    };
    const all = [repeat(URGENT_JOBS), repeat(OTHER_JOBS)];
    const reports = new MailQueue<{ email: string; facts: unknown }>(
      {
        pool: database.owner,
        table: 'private.daily_report_mails',
        key: 'id',
        columns: 'p.email, d.facts',
        join: `join private.daily_reports d on d.day = taken.day
          join public.profiles p on p.id = taken.user_id and p.email is not null`,
        send: ({ email, facts }) => {
          const message = reportMessage(reportFacts.parse(facts), siteUrl(), company.timeZone);
          return mailer.send(layOut(email, message, company));
        },
      },
      app.log,
    );
    app.addHook('onReady', async () => {
      for (const rounds of all) rounds.start();
      reports.start();
    });
    app.addHook('onClose', async () => {
      await Promise.all([...all, reports].map((each) => each.stop()));
    });
  };
}

/** @throws AggregateError after the others have run */
async function runDueJobs(
  jobs: readonly Job[],
  owner: Pool,
  tracing: Tracing | undefined,
  rounds: Pick<Rounds, 'isStopped'>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const { name: run, everySeconds } of jobs) {
    if (rounds.isStopped) break;
    const startedAt = performance.now();
    try {
      const work = () => runIfDue(owner, run, everySeconds);
      await (tracing?.job(run, work) ?? work());
    } catch (error) {
      countFailure(run, error);
      errors.push(error);
    } finally {
      const took = (performance.now() - startedAt) / 1_000;
      secondsOfRuns.set(run, (secondsOfRuns.get(run) ?? 0) + took);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'some jobs failed');
}

/** @returns whether it was due, and no other server had it */
async function runIfDue(owner: Pool, run: string, everySeconds: number): Promise<boolean> {
  const { rows } = await owner.query<{ ran: boolean }>(
    'select private.run_job($1, make_interval(secs => $2)) as ran',
    [run, everySeconds],
  );
  return rows[0]?.ran ?? false;
}
