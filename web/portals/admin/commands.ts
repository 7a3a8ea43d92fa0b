// What Ctrl+K finds besides the sidebar's entries: their tabs, screens below them, and forms that open at once.
import { mayDo, type Role, type TableName } from '#shared/permissions.ts';
import { mayManagePeople } from '#shared/screens.ts';
import { entriesFor, mayOpen } from './navigation.ts';

export type Command = { path: string; label: string; isAction: boolean };

/** Beside the tabs of the areas. */
const SUB_SCREENS: readonly (readonly [path: string, label: string])[] = [
  ['/admin/shifts?view=week', 'Week of Shifts'],
  ['/admin/incidents/goals', 'Incident Goals'],
  ['/admin/certifications?view=courses', 'Training Courses'],
  ['/admin/invoices/accounting?tab=balances', 'Trial Balance'],
  ['/admin/invoices/accounting?tab=profit', 'Profit and Loss'],
  ['/admin/invoices/accounting?tab=sheet', 'Balance Sheet'],
  ['/admin/invoices/accounting?tab=entries', 'Entries of the Books'],
  ['/admin/invoices/accounting?tab=chart', 'Chart of Accounts'],
  ['/admin/invoices/accounting?tab=closing', 'Closing the Books'],
  ['/admin/payroll?dialog=rates', 'Pay Rates'],
  ['/admin/payruns/accounts?formats=USD', 'Payment Formats'],
  ['/admin/activity?view=security', 'Security Events'],
  ['/admin/system/setup', 'Setup Guide'],
  ['/admin/notices', 'Notices'],
];

/** Labels are those of the buttons. */
const FORMS: readonly (readonly [path: string, label: string, table?: TableName])[] = [
  ['/admin?open=new', 'New Deployment', 'deployments'],
  ['/admin/sites?open=new', 'Add Site', 'sites'],
  ['/admin/roster/posts?open=new', 'Add Post', 'posts'],
  ['/admin/incidents?open=new', 'Enter Report', 'incidents'],
  ['/admin/leave?open=new', 'Enter Request', 'leave_requests'],
  ['/admin/certifications?open=new', 'Add Certification', 'certifications'],
  ['/admin/announcements?open=new', 'Write Announcement'],
  ['/admin/clients?open=new', 'Add Client', 'clients'],
  ['/admin/contracts?open=new', 'Add Contract', 'contracts'],
  ['/admin/operations/handover', 'Hand Over the Watch'],
  ['/admin/invoices?open=new', 'Draft Invoices'],
  ['/admin/financials?open=new', 'Add Statement', 'financial_statements'],
  ['/admin/expenses?open=new', 'Add Expense', 'expense_reports'],
  ['/admin/users?open=new', 'Invite User'],
  ['/admin/staff?open=new', 'Add Staff', 'staff'],
  ['/admin/payroll?open=new', 'Add Payroll', 'payroll'],
  ['/admin/payruns?open=new', 'New Pay Run', 'pay_runs'],
];

const pathOf = (address: string) => address.replace(/\?.*/, '');

/** @returns those that these roles may open */
export function commandsFor(roles: readonly Role[]): Command[] {
  const entries = entriesFor(roles).flatMap((group) => group.entries);
  const tabs = entries.flatMap((entry) => entry.tabs.filter(({ path }) => path !== entry.path));
  const screens = SUB_SCREENS.filter(([path]) => mayOpen(roles, pathOf(path)));
  const forms = FORMS.filter(
    ([path, , table]) =>
      mayOpen(roles, pathOf(path)) && (table === undefined || mayDo(roles, table, 'insert')),
  );
  return [
    ...tabs.map(({ path, name }) => ({ path, label: name, isAction: false })),
    ...screens.map(([path, label]) => ({ path, label, isAction: false })),
    ...forms.map(([path, label]) => ({ path, label, isAction: true })),
    ...(mayManagePeople(roles)
      ? [{ path: '/admin/people/new', label: 'Hire a Person', isAction: true }]
      : []),
  ];
}
