// How long a session lasts: `[auth.sessions]` in config.toml, and the end that an administrator gave it.
import type { Service } from '../service.ts';

/**
 * SQL that is true for a session that is over. An instance without limits compares with null, which ends nothing.
 * @param first number of the first of the two parameters that `lifetimeOf` gives; @param alias of the session
 */
export function isOver(first: number, alias = 's'): string {
  return `coalesce(${alias}.not_after <= now(), false)
    or coalesce(${alias}.created_at + make_interval(secs => $${first}) <= now(), false)
    or coalesce(coalesce(${alias}.refreshed_at at time zone 'UTC', ${alias}.created_at) + make_interval(secs => $${first + 1}) <= now(), false)`;
}

/** Seconds of a session's life, and of its life without a refresh. */
export function lifetimeOf({ context }: Service): [number | null, number | null] {
  const { timebox, inactivity_timeout: inactivity } = context.settings.auth.sessions;
  return [timebox ?? null, inactivity ?? null];
}
