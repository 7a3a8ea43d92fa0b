// How long a session lasts: `[auth.sessions]` in config.toml, and the end that an administrator gave it.
import type { Service } from '../service.ts';

/** Whether the person has signed in anew, where that ends older sessions. @param first as for `isOver` */
export function isSuperseded(first: number, alias = 's'): string {
  return `$${first + 2}::boolean and exists (select from auth.sessions newer
    where newer.user_id = ${alias}.user_id and (newer.created_at, newer.id) > (${alias}.created_at, ${alias}.id))`;
}

/**
 * SQL that is true for a session that is over. An instance without limits compares with null, which ends nothing.
 * @param first number of the first of the three parameters that `lifetimeOf` gives; @param alias of the session
 */
export function isOver(first: number, alias = 's'): string {
  return `coalesce(${alias}.not_after <= now(), false)
    or coalesce(${alias}.created_at + make_interval(secs => $${first}) <= now(), false)
    or coalesce(coalesce(${alias}.refreshed_at at time zone 'UTC', ${alias}.created_at) + make_interval(secs => $${first + 1}) <= now(), false)
    or ${isSuperseded(first, alias)}`;
}

/** Seconds of a session's life, and of its life without a refresh; whether a person has one session only. */
export function lifetimeOf({ context }: Service): [number | null, number | null, boolean] {
  const { sessions } = context.settings.auth;
  return [sessions.timebox || null, sessions.inactivity_timeout || null, sessions.single_per_user];
}
