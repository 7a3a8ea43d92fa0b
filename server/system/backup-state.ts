import type { Pool } from 'pg';
import type { BackupState } from '#shared/system-report.ts';
import type { AppConfig } from '../config.ts';

const HOUR_MS = 3_600_000;
/** Without a schedule, an operator backs up by command or by other means. */
const DAILY = 24;

/** @throws when the database does not answer */
export async function readBackupState(
  { schedule, demo }: Pick<AppConfig, 'schedule' | 'demo'>,
  owner: Pool,
  now: Date,
): Promise<BackupState> {
  const { rows } = await owner.query<{ at: Date | null }>(
    'select max(taken_at) as at from platform.backups',
  );
  const lastAt = rows[0]?.at ?? null;
  const bound = 2 * (schedule?.everyHours ?? DAILY) * HOUR_MS;
  const isWanted = schedule !== undefined || !demo;
  return {
    lastAt: lastAt?.toISOString() ?? null,
    everyHours: schedule?.everyHours ?? null,
    isOverdue: isWanted && (lastAt === null || +now - +lastAt > bound),
  };
}
