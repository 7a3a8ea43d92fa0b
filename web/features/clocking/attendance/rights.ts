import type { Grants, Role } from '#shared/grants.ts';
import { tables } from '#shared/permissions.ts';

/** Whether these roles correct clock times, of others alone. */
export function mayCorrectAttendance(roles: readonly Role[]): boolean {
  const grants: Grants = tables.attendance.update;
  return roles.some((role) => grants[role] !== undefined);
}
