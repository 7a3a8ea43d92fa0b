// What Ctrl+K finds besides the sidebar's entries: their tabs, screens below them, forms that open at once, and lists to
// search in.
import type { Role } from '#shared/grants.ts';
import { mayDo, type TableName } from '#shared/permissions.ts';
import { mayManagePeople } from '#shared/screens.ts';
import { entriesFor, mayOpen } from './navigation.ts';

export type Command = {
  path: string;
  label: string;
  isAction: boolean;
  /** Other words that people type for it. */
  words?: string;
};

/** Of screens and forms, by their address: what people call them who don't know our names. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  '/admin': 'guards now home',
  '/admin/dashboard': 'home start overview',
  '/admin/shifts': 'schedule calendar',
  '/admin/roster': 'schedule plan week board',
  '/admin/operations': 'control room live map alerts',
  '/admin/attendance': 'clock in out late absent',
  '/admin/timesheets': 'hours approve overtime',
  '/admin/incidents': 'reports theft accident',
  '/admin/people': 'guards employees staff',
  '/admin/leave': 'holiday vacation sick days off',
  '/admin/certifications': 'certificates licence license courses',
  '/admin/clients': 'customers companies',
  '/admin/contracts': 'rates prices agreements',
  '/admin/invoices': 'bills billing',
  '/admin/invoices/statements': 'what clients owe balance debts',
  '/admin/invoices/settings': 'bank details accounts reminders write-off terms',
  '/admin/invoices/margin': 'profit revenue cost',
  '/admin/invoices/money': 'cash forecast liquidity debtors days loss overtime',
  '/admin/enquiries': 'quotes offers pipeline sales leads messages',
  '/admin/payroll': 'wages salary',
  '/admin/payruns': 'wages salary payslips pay day',
  '/admin/payruns/accounts': 'mobile money bank numbers',
  '/admin/staff': 'employees salary',
  '/admin/expenses': 'costs receipts spending',
  '/admin/system': 'backup server health restore',
  '/admin/activity': 'history log who changed audit',
  '/admin/activity/retention': 'privacy erase delete data',
  '/admin/users': 'accounts roles passwords rights',
  '/admin/sites': 'places locations',
  '/admin/sites/devices': 'kiosk tablet phones',
  '/admin/roster/posts/orders': 'instructions procedures',
  '/admin/roster/posts/patrols': 'rounds tours checkpoints',
  '/admin/people/new': 'guard employee recruit add new',
  '/admin/users?open=new': 'new account add',
  '/admin/leave?open=new': 'holiday sick leave add new',
  '/admin/incidents?open=new': 'incident new add accident theft',
  '/admin/clients?open=new': 'new customer',
  '/admin/sites?open=new': 'new place location',
  '/admin/contracts?open=new': 'new agreement',
  '/admin/invoices?open=new': 'new bill create invoice',
  '/admin/expenses?open=new': 'new receipt cost',
  '/admin/announcements?open=new': 'message everybody send news',
  '/admin/certifications?open=new': 'new certificate licence',
  '/admin/payroll?dialog=rates': 'tax nasscorp exchange minimum wage',
};

/** Screens whose list is searched by the address. */
const SEARCHED: readonly string[] = [
  ...['/admin/sites', '/admin/roster/posts', '/admin/roster/posts/orders', '/admin/shifts'],
  ...['/admin/people', '/admin/leave', '/admin/certifications', '/admin/announcements'],
  ...['/admin/clients', '/admin/contracts', '/admin/enquiries', '/admin/invoices'],
  ...['/admin/incidents', '/admin/users', '/admin/staff', '/admin/payroll', '/admin/expenses'],
];

export const otherWordsOf = (path: string): { words?: string } => {
  const words = OTHER_WORDS[path];
  return words === undefined ? {} : { words };
};

/** Beside the tabs of the areas. */
const SUB_SCREENS: readonly (readonly [path: string, label: string])[] = [
  ['/admin/shifts?view=week', 'Week of Shifts'],
  ['/admin/incidents/goals', 'Incident Goals'],
  ['/admin/incidents/templates', 'Report Templates'],
  ['/admin/certifications?view=courses', 'Training Courses'],
  ['/admin/invoices/accounting?tab=balances', 'Trial Balance'],
  ['/admin/invoices/accounting?tab=profit', 'Profit and Loss'],
  ['/admin/invoices/accounting?tab=sheet', 'Balance Sheet'],
  ['/admin/invoices/accounting?tab=entries', 'Entries of the Books'],
  ['/admin/invoices/accounting?tab=bank', 'Bank Reconciliation'],
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
  ].map((command) => ({ ...command, ...otherWordsOf(command.path) }));
}

/** @returns the lists that these roles may open and search in */
export function searchedLists(roles: readonly Role[]) {
  const entries = entriesFor(roles).flatMap((group) => group.entries);
  const named = [
    ...entries.flatMap(({ path, label, tabs }) => [
      { path, label },
      ...tabs.map((tab) => ({ path: tab.path, label: tab.name })),
    ]),
  ].filter(({ path }) => SEARCHED.includes(path));
  return [...new Map(named.map((list) => [list.path, list])).values()];
}
