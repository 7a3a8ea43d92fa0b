// Which run of the database this is, and the replication slot that retains its WAL until it is saved.
import { DatabaseError, type Pool } from 'pg';
import { parsePosition } from './positions.ts';

/** Beyond `max_slot_wal_keep_size` PostgreSQL gives it up, so that a full backup disk never fills the database's. */
export const WAL_SLOT = 'backup_wal';

const DUPLICATE = '42710';

export interface CurrentRun {
  /** Name of its folder. */
  name: string;
  timeline: number;
  /** Everything before it is saved, or was before the slot. */
  saved: number;
}

export async function openRun(owner: Pool): Promise<CurrentRun> {
  // A lost slot can't be used again. The gap that it leaves ends with the next base.
  await owner.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and wal_status = 'lost'`,
    [WAL_SLOT],
  );
  await owner
    .query(
      `select pg_create_physical_replication_slot($1, true)
       where not exists (select from pg_replication_slots where slot_name = $1)`,
      [WAL_SLOT],
    )
    .catch((error: unknown) => {
      // The base and the receiver begin at the same time.
      if (!(error instanceof DatabaseError && error.code === DUPLICATE)) throw error;
    });
  const { rows } = await owner.query<{ system: string; segment: string; saved: string }>(
    `select (select system_identifier::text from pg_control_system()) as system,
       pg_walfile_name(pg_current_wal_lsn()) as segment, restart_lsn::text as saved
     from pg_replication_slots where slot_name = $1`,
    [WAL_SLOT],
  );
  const { system = '', segment = '', saved = '' } = rows[0] ?? {};
  const timeline = Number.parseInt(segment.slice(0, 8), 16);
  return { name: `${system}-${timeline}`, timeline, saved: parsePosition(saved) };
}

/** For a server whose setting is off: its WAL must not pile up. */
export async function closeRun(owner: Pool): Promise<void> {
  await owner.query(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active',
    [WAL_SLOT],
  );
}
