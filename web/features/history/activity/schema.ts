import type { Database } from '#shared/database.types.ts';
import { AUDIT_LOG_ACTION } from '#shared/database.values.ts';
import { type TableName, tables } from '#shared/permissions.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import { logSearch } from '#web/lib/data/log-page.ts';
import { defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export type Entry = Database['public']['Tables']['audit_log']['Row'];
type View = Database['public']['Views']['security_events']['Row'];
/** In the generated types every column of a view is nullable. */
export type SecurityEvent = Omit<View, 'id' | 'at' | 'action'> & {
  id: string;
  at: string;
  action: string;
};

const isTable = (name: string): name is TableName => name in tables;
/** Recorded by the log: tables, and the documents of people, which are files. */
export const RECORDED_TABLES = [
  ...Object.keys(tables)
    .filter(isTable)
    .filter((name) => name !== 'audit_log'),
  'documents' as const,
].sort();

/** What an entry is about, as far as the record says it. */
export type Subject = Record<
  'actor' | 'person' | 'site' | 'client' | 'starts_at' | 'timezone' | 'name',
  string | null
>;

/** Written as a consequence of what people do: the list leaves them out unless they are asked for. */
export const MACHINE_TABLES = [
  'billed_time',
  'notices',
  'payslip_lines',
  'time_segments',
  'timesheet_days',
  'timesheets',
] as const;

/** Account events recorded by the auth service and the database. */
export const EVENTS = [
  'login',
  'login_failed',
  'logout',
  'token_revoked',
  'user_signedup',
  'user_repeated_signup',
  'user_invited',
  'user_modified',
  'user_updated_password',
  'user_recovery_requested',
  'user_reauthenticate_requested',
  'user_confirmation_requested',
  'user_disabled',
  'user_enabled',
  'signed_out_everywhere',
  'user_deleted',
  'factor_enrolled',
  'factor_verified',
  'factor_failed',
  'factor_deleted',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_created',
  'recovery_code_used',
  'recovery_code_failed',
  'start_code_created',
  'start_code_used',
  'start_code_failed',
  'pin_set',
  'pin_locked',
  'pin_unlocked',
  'addresses_changed_by_admin',
  'data_exported',
  'person_erased',
  'erasure_failed',
  'identity_linked',
  'identity_unlinked',
  'sso_provider_created',
  'sso_provider_updated',
  'sso_provider_deleted',
] as const;
export type EventName = (typeof EVENTS)[number];

export const activitySearch = defineSearch({
  ...logSearch,
  open: listSearch.open,
  view: oneOf(['security']),
  person: uuid,
  table: oneOf(RECORDED_TABLES),
  rows: oneOf(['all']),
  action: oneOf(AUDIT_LOG_ACTION),
  /** Id of the record whose history is shown. */
  row: uuid,
  event: oneOf(EVENTS),
});
export type ActivitySearch = SearchOf<typeof activitySearch>;
export type EntryFilters = Pick<
  ActivitySearch,
  'person' | 'table' | 'rows' | 'action' | 'row' | 'from' | 'to'
>;
export type EventFilters = Pick<ActivitySearch, 'person' | 'event' | 'from' | 'to'>;
