import type { Role } from '#shared/grants.ts';

export const ROLE_LABELS: Record<Role, string> = {
  admin: 'Admin',
  ops_manager: 'Operations Manager',
  supervisor: 'Supervisor',
  dispatcher: 'Dispatcher',
  hr: 'HR',
  finance: 'Finance',
  guard: 'Guard',
};

/** For the admin who assigns the role. */
export const ROLE_HINTS: Record<Role, string> = {
  admin: 'Everything, with accounts, money and payroll.',
  ops_manager: 'The whole operation: sites, shifts, incidents, clients, people. No money.',
  supervisor: 'Shifts, attendance and incidents of one site or all sites.',
  dispatcher: 'Shifts and their assignments.',
  hr: 'Leave, training and attendance.',
  finance: 'Staff, payroll and all money screens. No accounts or roles.',
  guard: 'The staff portal.',
};
