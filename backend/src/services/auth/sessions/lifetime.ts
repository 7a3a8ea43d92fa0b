// The lifetime of a session: `[auth.sessions]` in config.toml, and an end set by an administrator.
import type { Service } from '../service.ts';

/** SQL: whether the user has a newer session, if only one is allowed. @param first as for `isOver` */
export function isSuperseded(first: number, alias = 's'): string {
  return `$${first + 2}::boolean and exists (select from auth.sessions newer
    where newer.user_id = ${alias}.user_id and (newer.created_at, newer.id) > (${alias}.created_at, ${alias}.id))`;
}

/**
 * SQL that is true for a session that is over. Without limits it compares with null, which is never true.
 * @param first number of the first of the three parameters from `lifetimeOf`; @param alias of the session
 */
export function isOver(first: number, alias = 's'): string {
  return `coalesce(${alias}.not_after <= now(), false)
    or coalesce(${alias}.created_at + make_interval(secs => $${first}) <= now(), false)
    or coalesce(coalesce(${alias}.refreshed_at at time zone 'UTC', ${alias}.created_at) + make_interval(secs => $${first + 1}) <= now(), false)
    or ${isSuperseded(first, alias)}`;
}

/** Maximum age and inactivity in seconds; whether a user has one session only. */
export function lifetimeOf({ context }: Service): [number | null, number | null, boolean] {
  const { sessions } = context.settings.auth;
  return [sessions.timebox || null, sessions.inactivity_timeout || null, sessions.single_per_user];
}
