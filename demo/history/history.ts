// The recent activity log: the entries that the newest records would have created.
import type { Loading } from '../clients/business.ts';

/** One entry for each of the newest records of a table, as its trigger would write it. */
interface Source {
  table: string;
  /** SQL expressions on the record `t`. */
  actor: string;
  at?: string;
  where?: string;
  limit: number;
  /** For an update: the values before and after, as SQL of type jsonb. */
  change?: [before: string, after: string];
  /** For an insert: columns that were set later. */
  since?: string;
}

const status = (value: string): string => `jsonb_build_object('status', ${value})`;

const SOURCES: readonly Source[] = [
  {
    table: 'incidents',
    actor: 't.raised_by_user_id',
    limit: 60,
    since: `'{"status":"open"}'`,
  },
  {
    table: 'incidents',
    actor: '$1',
    at: 't.updated_at',
    where: `t.status <> 'open'`,
    limit: 60,
    change: [
      `case t.status when 'closed' then ${status(`'resolved'`)} else ${status(`'open'`)} end`,
      status('t.status'),
    ],
  },
  {
    table: 'leave_requests',
    actor: 't.user_id',
    limit: 40,
    since: `'{"status":"pending","decision_note":null,"decided_by":null,"decided_at":null}'`,
  },
  {
    table: 'leave_requests',
    actor: 't.decided_by',
    at: 't.decided_at',
    where: 't.decided_by is not null',
    limit: 40,
    change: [
      `jsonb_build_object('status', 'pending', 'decided_by', null, 'decided_at', null)`,
      `jsonb_build_object('status', t.status, 'decided_by', t.decided_by, 'decided_at', t.decided_at)`,
    ],
  },
  {
    table: 'attendance',
    actor: 't.corrected_by',
    at: 't.corrected_at',
    where: 't.corrected_by is not null and t.original_clock_in_at is not null',
    limit: 40,
    change: [
      `jsonb_build_object('clock_in_at', t.original_clock_in_at, 'correction_reason', null)`,
      `jsonb_build_object('clock_in_at', t.clock_in_at, 'correction_reason', t.correction_reason)`,
    ],
  },
  {
    table: 'attendance',
    actor: 't.user_id',
    at: 't.clock_in_received_at',
    where: 't.corrected_by is null',
    limit: 80,
    since: `'{"clock_out_at":null,"clock_out_gps":null,"clock_out_received_at":null,"clock_out_distance_m":null,"early_minutes":0}'`,
  },
  { table: 'deployments', actor: 't.created_by', limit: 40 },
  { table: 'expense_reports', actor: 't.created_by', limit: 60 },
  { table: 'user_roles', actor: '$2', where: `t.role <> 'admin'`, limit: 12 },
  {
    table: 'contact_messages',
    actor: 'null',
    limit: 12,
    since: `'{"state":"new","note":null}'`,
  },
];

function entries(source: Source): string {
  const { table, actor, at = 't.created_at', where = 'true', limit, change } = source;
  const { since = `'{}'` } = source;
  const values = change
    ? `'update', '${table}', t.id, ${change[0]}, ${change[1]}`
    : `'insert', '${table}', t.id, null::jsonb, private.without_secrets(to_jsonb(t)) || ${since}::jsonb`;
  return `insert into public.audit_log
      (at, actor_id, actor_email, action, table_name, row_id, old_values, new_values)
    select e.at, e.actor, p.email, e.action, e.table_name, e.id, e.before, e.after
    from (
      select ${at}, (${actor})::uuid, ${values}
      from (select * from public.${table} t where ${where} order by ${at} desc limit ${limit}) t
    ) e (at, actor, action, table_name, id, before, after)
    left join public.profiles p on p.id = e.actor`;
}

export async function insertHistory({ client, people }: Loading): Promise<void> {
  // Who follows up incidents, and who grants roles.
  const actors = [people.named('ops').id, people.named('admin').id];
  for (const source of SOURCES) {
    const sql = entries(source);
    const used = actors.filter((_, i) => sql.includes(`$${i + 1}`));
    await client.query(used.length === 1 ? sql.replace('$2', '$1') : sql, used);
  }
}
