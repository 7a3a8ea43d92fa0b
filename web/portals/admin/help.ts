// Page and section of the guide (docs/guide) for each screen of the portal.

/** The path that every address of the guide begins with. */
export const GUIDE = '/guide/';

/** By path of the screen; screens below it have the same, unless they are here too: `$id` is the page of any record. */
const SECTIONS: Readonly<Record<string, string>> = {
  '/admin': 'dispatcher#deployments',
  '/admin/activity': 'administrator#activity-and-retention',
  '/admin/announcements': 'hr#announcements',
  '/admin/attendance': 'supervisor#attendance',
  '/admin/bankaccounts': 'finance#cash-and-accounts',
  '/admin/cashflow': 'finance#cash-and-accounts',
  '/admin/certifications': 'hr#certificates',
  '/admin/clients': 'planner#clients-and-sites',
  '/admin/clients/$id': 'planner#a-clients-page',
  '/admin/contracts': 'finance#contracts',
  '/admin/dashboard': 'supervisor#start-of-the-day',
  '/admin/dispatch': 'dispatcher#dispatch',
  '/admin/enquiries': 'planner#enquiries',
  '/admin/expenses': 'finance#cash-and-accounts',
  '/admin/financials': 'finance#cash-and-accounts',
  '/admin/incidents': 'supervisor#incidents',
  '/admin/invoices': 'finance#invoices',
  '/admin/invoices/accounting': 'finance#close-the-books',
  '/admin/invoices/margin': 'finance#receipts-and-reminders',
  '/admin/invoices/settings': 'finance#how-clients-pay',
  '/admin/invoices/money': 'finance#money-ahead',
  '/admin/invoices/statements': 'finance#receipts-and-reminders',
  '/admin/invoices/vat': 'finance#vat',
  '/admin/leave': 'hr#leave',
  '/admin/loans': 'finance#cash-and-accounts',
  '/admin/notices': 'index#on-every-screen',
  '/admin/operations': 'dispatcher#a-morning-at-0545',
  '/admin/operations/handover': 'dispatcher#hand-over-the-watch',
  '/admin/operations/handover/$id': 'dispatcher#hand-over-the-watch',
  '/admin/payroll': 'finance#staff-and-pay',
  '/admin/payroll/returns': 'finance#statutory-returns',
  '/admin/payruns': 'finance#pay-run',
  '/admin/payruns/accounts': 'finance#pay-accounts',
  '/admin/people': 'hr#a-persons-page',
  '/admin/people/new': 'hr#hire-a-person',
  '/admin/roster': 'planner#draft-and-fill',
  '/admin/roster/posts': 'planner#posts',
  '/admin/roster/posts/handovers': 'dispatcher#handovers',
  '/admin/roster/posts/orders': 'planner#post-orders-and-patrols',
  '/admin/roster/posts/patrols': 'planner#post-orders-and-patrols',
  '/admin/roster/rules': 'planner#rules',
  '/admin/shifts': 'dispatcher#shifts',
  '/admin/sites': 'planner#clients-and-sites',
  '/admin/sites/$id': 'planner#a-sites-page',
  '/admin/sites/$id/book': 'supervisor#the-book-of-a-post',
  '/admin/sites/devices': 'planner#clients-and-sites',
  '/admin/staff': 'finance#staff-and-pay',
  '/admin/statements': 'finance#cash-and-accounts',
  '/admin/system': 'administrator#system',
  '/admin/system/setup': 'administrator#the-first-published-week',
  '/admin/timesheets': 'supervisor#timesheets',
  '/admin/today': 'index#on-every-screen',
  '/admin/timesheets/rules': 'administrator#the-first-pay-run',
  '/admin/users': 'administrator#users-and-roles',
};

/**
 * @param pathname of a screen
 * @returns the address of its section; the index of the guide for an unknown screen
 */
export function helpAddress(pathname: string): string {
  const exact = pathname.replace(/\/+$/, '');
  for (let path = exact; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const section = SECTIONS[path] ?? SECTIONS[path.replace(/[^/]+$/, '$id')];
    // Deployments have the path that all screens are below.
    const isOwn = path !== '/admin' || path === exact;
    if (section !== undefined && isOwn) return `${GUIDE}${section.replace('#', '.html#')}`;
  }
  return `${GUIDE}index.html`;
}
