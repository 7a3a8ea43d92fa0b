import { expect, it } from 'vitest';
import { rankNamed, searchesOf } from '#web/features/platform/finder/rank.ts';
import { commandsFor, otherWordsOf, searchedLists } from './commands.ts';
import { entriesFor } from './navigation.ts';

const ROLES = ['admin'] as const;
const named = [
  ...entriesFor(ROLES).flatMap(({ entries }) =>
    entries.map(({ path, label }) => ({ path, label, ...otherWordsOf(path) })),
  ),
  ...commandsFor(ROLES),
];
const lists = searchedLists(ROLES);

/** What people of the office typed without knowing our names, and where it leads first. */
it.each([
  ['hire guard', '/admin/people/new'],
  ['new employee', '/admin/people/new'],
  ['recruit', '/admin/people/new'],
  ['employees', '/admin/people'],
  ['schedule', '/admin/shifts'],
  ['who changed', '/admin/activity'],
  ['backup', '/admin/system'],
  ['wages', '/admin/payroll'],
  ['payslips', '/admin/payruns'],
  ['tax', '/admin/payroll?dialog=rates'],
  ['minimum wage', '/admin/payroll?dialog=rates'],
  ['bill', '/admin/invoices'],
  ['what clients owe', '/admin/invoices/statements'],
  ['profit', '/admin/invoices/accounting?tab=profit'],
  ['margin', '/admin/invoices/margin'],
  ['quotes', '/admin/enquiries'],
  ['enter sick leave', '/admin/leave?open=new'],
  ['vacation', '/admin/leave'],
  ['clock in', '/admin/attendance'],
  ['control room', '/admin/operations/log'],
  ['patrol rounds', '/admin/roster/posts/patrols'],
  ['tablet', '/admin/sites/devices'],
  ['delete data', '/admin/activity/retention'],
  ['new customer', '/admin/clients?open=new'],
  ['licence', '/admin/certifications'],
  ['mobile money', '/admin/payruns/accounts'],
  ['theft report', '/admin/incidents'],
])('%s leads to %s', (text, path) => {
  expect(rankNamed(named, text, new Map())[0]?.path).toBe(path);
});

it.each([
  ['post orders Freeport', '/admin/roster/posts/orders?q=Freeport'],
  ['contracts embassy', '/admin/contracts?q=embassy'],
  ['Kollie leave requests', '/admin/leave?q=Kollie'],
])('%s searches in %s', (text, path) => {
  expect(searchesOf(lists, text)[0]?.path).toBe(path);
});

it('searches only lists that the role may open', () => {
  expect(searchedLists(['finance']).map(({ path }) => path)).not.toContain('/admin/enquiries');
});
