// What the servers repeat for the control room. PostgreSQL shares the runs among them.
import type { FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { Rounds } from 'supabase-in-node/rounds';
import { hasTable } from 'supabase-in-node/with-client';

/** Functions of the database without arguments. Each is idempotent: a run that is repeated changes nothing. */
const JOBS: readonly { run: string; everySeconds: number }[] = [
  { run: 'private.raise_due_alerts', everySeconds: 2 },
  { run: 'private.escalate_alerts', everySeconds: 5 },
  { run: 'private.due_welfare_checks', everySeconds: 2 },
];

const LOOK_EVERY_MS = 1_000;
/** After a database error. */
const LOOK_AGAIN_MS = 5_000;

export function operations({ database }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no jobs.
    if (!(await hasTable(database.owner, 'private.jobs'))) return;
    const rounds = new Rounds(() => runDueJobs(database.owner), {
      everyMs: LOOK_EVERY_MS,
      afterErrorMs: LOOK_AGAIN_MS,
      onError: (error) => app.log.error({ err: error }, 'jobs of the control room failed'),
    });
    app.addHook('onReady', async () => rounds.start());
    app.addHook('onClose', () => rounds.stop());
  };
}

/** @throws AggregateError after the others have run */
async function runDueJobs(owner: Pool): Promise<void> {
  const errors: unknown[] = [];
  for (const { run, everySeconds } of JOBS) {
    try {
      await owner.query('select private.run_job($1, make_interval(secs => $2))', [
        run,
        everySeconds,
      ]);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'some jobs failed');
}
