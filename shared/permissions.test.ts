import { describe, expect, test } from 'vitest';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import type { Role } from './grants.ts';
import { mayDo, mayReadOfOthers } from './permissions.ts';
import { mayEnterPortal, maySee, maySeeClients, maySeeSites, screens } from './screens.ts';

const FINANCE = [
  'Financial Statements',
  'Expense Reports',
  'Bank Accounts',
  'Loan Accounts',
  'Bank Statements',
  'Cashflow Statement',
];
const SUPERVISOR = [
  'Deployments',
  'Dashboard',
  'Shifts',
  'Roster',
  'Operations',
  'Dispatch',
  'Attendance',
  'Timesheets',
  'Incidents',
];
const OPS_MANAGER = [
  'Deployments',
  'Dashboard',
  'Sites',
  'Shifts',
  'Roster',
  'Operations',
  'Dispatch',
  'Attendance',
  'Timesheets',
  'Incidents',
  'People',
  'Leave Requests',
  'Training & Certifications',
  'Announcements',
  'Clients',
  'Contracts',
  'Enquiries',
];

const seenBy = (roles: Role[]) =>
  screens.filter((screen) => maySee(roles, screen.id)).map((screen) => screen.label);

describe('the sidebar, or a tab in it, shows', () => {
  test.each<[Role[], string[]]>([
    [[], ['Deployments']],
    [['guard'], ['Deployments']],
    [['dispatcher'], ['Deployments', 'Today', 'Shifts', 'Roster', 'Operations', 'Dispatch']],
    [
      ['hr'],
      [
        'Deployments',
        'Today',
        'Attendance',
        'Timesheets',
        'People',
        'Leave Requests',
        'Training & Certifications',
        'Announcements',
      ],
    ],
    [
      ['finance'],
      [
        'Deployments',
        'Today',
        'Timesheets',
        'Contracts',
        'Invoices',
        ...FINANCE,
        'Staff',
        'Payroll',
        'Pay Runs',
      ],
    ],
    [['supervisor'], SUPERVISOR],
    [['ops_manager'], OPS_MANAGER],
    [['guard', 'dispatcher', 'supervisor'], SUPERVISOR],
    [['admin'], screens.map(({ label }) => label).filter((label) => label !== 'Today')],
  ])('to %j: %j', (roles, labels) => {
    expect(seenBy(roles)).toEqual(labels);
  });

  test('users, activity and system to admins only; money, staff and payroll to finance too', () => {
    const others = USER_ROLES_ROLE.filter((role) => role !== 'admin');
    for (const label of ['Users', 'Activity', 'System']) {
      expect(seenBy(['admin'])).toContain(label);
      expect(seenBy(others)).not.toContain(label);
    }
    const neither = others.filter((role) => role !== 'finance');
    for (const label of [...FINANCE, 'Staff', 'Payroll', 'Pay Runs']) {
      expect(seenBy(['finance'])).toContain(label);
      expect(seenBy(neither)).not.toContain(label);
    }
  });
});

test.each<[Role[], boolean]>([
  [[], false],
  [['guard'], false],
  [['guard', 'hr'], true],
  ...(['admin', 'ops_manager', 'supervisor', 'dispatcher', 'hr', 'finance'] as const).map(
    (role): [Role[], boolean] => [[role], true],
  ),
])('the portal opens to %j: %s', (roles, opens) => {
  expect(mayEnterPortal(roles)).toBe(opens);
});

test.each<[Role[], Parameters<typeof mayDo>[1], Parameters<typeof mayDo>[2], boolean]>([
  [['supervisor'], 'shifts', 'delete', false],
  [['ops_manager'], 'shifts', 'delete', true],
  [[], 'deployments', 'delete', true],
  [[], 'deployments', 'update', false],
  [['hr'], 'leave_requests', 'update', true],
  [['admin'], 'audit_log', 'delete', false],
])('%j may %s %s: %s', (roles, table, operation, may) => {
  expect(mayDo(roles, table, operation)).toBe(may);
});

describe('the page of a site or of a client', () => {
  test.each(USER_ROLES_ROLE)('opens for %s if the role reads the row itself', (role) => {
    expect(maySeeSites([role])).toBe(mayReadOfOthers([role], 'sites'));
    expect(maySeeClients([role])).toBe(mayReadOfOthers([role], 'clients'));
  });
});
