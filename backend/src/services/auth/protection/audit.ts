// The audit log (auth.audit_log_entries) in GoTrue's format. Never contains a password, token or hash.
import { type Db, sql } from '../database.ts';
import type { Call } from '../service.ts';

/** GoTrue's actions with their log type. `login_failed`, `factor_failed` and the other factor actions are additions. */
const LOG_TYPES = {
  login: 'account',
  login_failed: 'account',
  logout: 'account',
  user_signedup: 'team',
  user_repeated_signup: 'user',
  user_modified: 'user',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_invited: 'team',
  user_updated_password: 'user',
  token_revoked: 'token',
  user_deleted: 'team',
  identity_linked: 'user',
  identity_unlinked: 'user',
  sso_provider_created: 'team',
  sso_provider_updated: 'team',
  sso_provider_deleted: 'team',
  factor_enrolled: 'factor',
  factor_verified: 'factor',
  factor_failed: 'factor',
  factor_deleted: 'factor',
  passkey_added: 'factor',
  passkey_removed: 'factor',
} as const;

export type AuditAction = keyof typeof LOG_TYPES;

export interface Actor {
  id?: string | undefined;
  email?: string | undefined;
  is_sso_user?: boolean;
}

/** @param db the transaction of the event itself, if there is one: both commit or neither */
export async function audit(
  db: Db,
  call: Call,
  action: AuditAction,
  actor: Actor,
  traits: Record<string, unknown> = {},
): Promise<void> {
  const payload = {
    action,
    actor_id: actor.id ?? null,
    actor_username: actor.email ?? '',
    actor_via_sso: actor.is_sso_user ?? false,
    log_type: LOG_TYPES[action],
    traits: { ...traits, user_agent: call.userAgent },
  };
  await db.query(sql`
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), ${JSON.stringify(payload)}, now(),
      ${call.address})`);
}
