import type { Context } from 'supabase-in-node/context';
import type { BackupState } from '#shared/system-report.ts';
import { savedChanges } from '../backups/saved-changes.ts';
import type { AppConfig } from '../config.ts';

const HOUR_MS = 3_600_000;
/** Without a schedule, an operator backs up by command or by other means. */
const DAILY = 24;
/** Changes are saved once a minute. */
const CHANGES_LATE_SECONDS = 600;

/** @throws when the database does not answer */
export async function readBackupState(
  { schedule, demo }: Pick<AppConfig, 'schedule' | 'demo'>,
  context: Context,
): Promise<BackupState> {
  const now = context.now();
  const { rows } = await context.database.owner.query<{ at: Date | null }>(
    'select max(taken_at) as at from platform.backups',
  );
  const lastAt = rows[0]?.at ?? null;
  const bound = 2 * (schedule?.everyHours ?? DAILY) * HOUR_MS;
  const saved = savedChanges(context);
  const isWanted = schedule !== undefined || !demo;
  return {
    lastAt: lastAt?.toISOString() ?? null,
    everyHours: schedule?.everyHours ?? null,
    isOverdue: isWanted && (lastAt === null || +now - +lastAt > bound),
    changes: saved
      ? {
          until: saved.until?.toISOString() ?? null,
          // The first ones are saved with the first backup.
          isLate: lastAt !== null && (saved.ageSeconds ?? Infinity) > CHANGES_LATE_SECONDS,
        }
      : null,
  };
}
