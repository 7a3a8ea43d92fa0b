// Until when a server has saved its changes for a restore to a point in time.
import type { Context } from 'supabase-in-node/context';
import { gauge, type Metric } from 'supabase-in-node/metrics';
import type { SavedWal } from 'supabase-in-node/wal';

/** Keyed by server: a process may run several. */
const saving = new WeakMap<Context, SavedWal>();

export function rememberSaving(context: Context, wal: SavedWal): void {
  saving.set(context, wal);
}

export interface SavedChanges {
  /** Null before the first ones are saved. */
  until: Date | null;
  ageSeconds: number | null;
}

/** From memory: the folder of the backups may be on a disk that does not answer. @returns undefined if changes are not saved */
export function savedChanges(context: Context): SavedChanges | undefined {
  const wal = saving.get(context);
  if (wal === undefined) return undefined;
  const until = wal.reach() ?? null;
  const ageSeconds = until && Math.max(0, Math.round((+context.now() - +until) / 1000));
  return { until, ageSeconds };
}

export function savedChangesMetrics(context: Context): Metric[] {
  const age = savedChanges(context)?.ageSeconds ?? null;
  return [
    gauge(
      'backup_wal_age_seconds',
      'Since the moment until which changes are saved.',
      ...(age === null ? [] : [{ value: age }]),
    ),
  ];
}
