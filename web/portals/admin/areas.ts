// The areas of the office: an entry of the sidebar each, and as tabs the screens that belong to it.
import type { ScreenId } from '#shared/screens.ts';

export type Tab = {
  path: string;
  /** On the tab, below the name of the area. */
  label: string;
  /** Where the area isn't named, like the command menu. */
  name: string;
};

const tab = (path: string, label: string, name = label): Tab => ({ path, label, name });

/** `id` is the screen that the area is named for. Screens that are not here have no tabs. */
type Area = { id: ScreenId; tabs: readonly Tab[] };

export const areas: readonly Area[] = [
  {
    id: 'sites',
    tabs: [
      tab('/admin/sites', 'Sites'),
      tab('/admin/roster/posts', 'Posts'),
      tab('/admin/roster/posts/orders', 'Post Orders'),
      tab('/admin/roster/posts/patrols', 'Patrols'),
      tab('/admin/roster/posts/handovers', 'Handovers'),
      tab('/admin/sites/devices', 'Devices'),
    ],
  },
  {
    id: 'roster',
    tabs: [
      tab('/admin/roster', 'Board', 'Roster'),
      tab('/admin/roster/requests', 'Requests', 'Guards’ Requests'),
      tab('/admin/roster/rules', 'Rules', 'Roster Rules'),
    ],
  },
  {
    id: 'operations',
    tabs: [
      tab('/admin/operations', 'Now', 'Operations'),
      tab('/admin/dispatch', 'Dispatch'),
      tab('/admin/attendance', 'Attendance'),
      tab('/admin/operations/log', 'Log', 'Control Room Log'),
    ],
  },
  {
    id: 'timesheets',
    tabs: [
      tab('/admin/timesheets', 'To decide', 'Timesheets'),
      tab('/admin/timesheets/rules', 'Rules', 'Time Rules'),
    ],
  },
  {
    id: 'people',
    tabs: [
      tab('/admin/people', 'People'),
      tab('/admin/leave', 'Leave Requests'),
      tab('/admin/certifications', 'Training & Certifications'),
      tab('/admin/announcements', 'Announcements'),
    ],
  },
  {
    id: 'clients',
    tabs: [
      tab('/admin/clients', 'Clients'),
      tab('/admin/contracts', 'Contracts'),
      tab('/admin/enquiries', 'Enquiries'),
    ],
  },
  {
    id: 'invoices',
    tabs: [
      tab('/admin/invoices', 'Invoices'),
      tab('/admin/invoices/unbilled', 'Unbilled Hours'),
      tab('/admin/invoices/statements', 'Statements', 'Statements of Account'),
      tab('/admin/invoices/margin', 'Margin'),
      tab('/admin/invoices/money', 'Money', 'Money Ahead'),
      tab('/admin/invoices/vat', 'VAT', 'VAT Returns'),
      tab('/admin/invoices/accounting', 'Accounting', 'Accounting Export'),
      tab('/admin/invoices/settings', 'Settings', 'Invoice Settings'),
    ],
  },
  {
    id: 'payruns',
    tabs: [
      tab('/admin/payruns', 'Runs', 'Pay Runs'),
      tab('/admin/payruns/adjustments', 'Adjustments'),
      tab('/admin/payruns/accounts', 'Pay Accounts'),
      tab('/admin/payroll/returns', 'Returns', 'Statutory Returns'),
    ],
  },
  {
    id: 'system',
    tabs: [
      tab('/admin/system', 'System'),
      tab('/admin/activity', 'Activity'),
      tab('/admin/activity/retention', 'Retention', 'Data Retention'),
    ],
  },
];

const isAtOrBelow = (path: string, top: string) => path === top || path.startsWith(`${top}/`);

/** @returns the area and tab at this path, or those that a page below a tab belongs to */
export function tabAt(path: string): { area: Area; tab: Tab } | undefined {
  const found = areas
    .flatMap((area) => area.tabs.map((each) => ({ area, tab: each })))
    .filter(({ tab: each }) => isAtOrBelow(path, each.path));
  return found.sort((a, b) => b.tab.path.length - a.tab.path.length)[0];
}
