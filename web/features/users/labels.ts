import type { Role } from '#shared/permissions.ts';
import type { BadgeTone } from '#web/components/ui/badge.tsx';
import type { HeldRole, UserState } from './schema.ts';

export const ROLE_LABELS: Record<Role, string> = {
  admin: 'Admin',
  ops_manager: 'Operations Manager',
  supervisor: 'Supervisor',
  dispatcher: 'Dispatcher',
  hr: 'HR',
  guard: 'Guard',
};

/** What each role gives access to. */
export const ROLE_HINTS: Record<Role, string> = {
  admin: 'Everything, with accounts, money and payroll.',
  ops_manager: 'The whole operation: sites, shifts, incidents, clients, people. No money.',
  supervisor: 'Shifts, attendance and incidents of one site or all sites.',
  dispatcher: 'Shifts and their assignments.',
  hr: 'Leave, training and attendance.',
  guard: 'The staff portal.',
};

export const STATE_LABELS: Record<UserState, string> = {
  active: 'Active',
  invited: 'Invited',
  disabled: 'Disabled',
};

export const STATE_TONES: Record<UserState, BadgeTone> = {
  active: 'green',
  invited: 'orange',
  disabled: 'red',
};

/** @returns for example "Supervisor (Freeport Container Yard)" or "Supervisor (all sites)" */
export function heldRoleLabel({ role, site_id, sites }: HeldRole): string {
  if (role !== 'supervisor') return ROLE_LABELS[role];
  return `${ROLE_LABELS[role]} (${site_id === null ? 'all sites' : (sites?.name ?? 'one site')})`;
}
