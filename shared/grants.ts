// Who a permission is given to, for which rows, and the groups of both that shared/permissions.ts uses.
import type { USER_ROLES_ROLE } from '#shared/database.values.ts';

export type Role = (typeof USER_ROLES_ROLE)[number];

/**
 * Who a permission is given to: a role; `member`, anyone signed in whose account is open (own password set,
 * second factor shown, and under sign-up policy `approval` a role); `proved`, anyone signed in whose account and session
 * are in force, with the second factor shown; `account`, anyone signed in at all; `client`, a contact of a client while the
 * access lasts, who is never a member; `visitor`, anyone who is not signed in.
 */
export type Subject = Role | 'member' | 'proved' | 'account' | 'client' | 'visitor';

/**
 * Which rows: all; the user's own (the row names the user, or the user created it); others', all except one's own;
 * `site`, rows at the sites of a supervisor (all sites for an unscoped supervisor);
 * `unscoped`, every row, but only for a supervisor of all sites;
 * `assigned`, shifts and sites of the user's assignments, and the records of those sites; the user's response unit, and the
 * call that it answers; the book of the site where the user is on duty;
 * `client`, rows of the clients whose contact the user is;
 * `addressed`, announcements whose audience the user belongs to, while they last.
 */
type Ownership = 'own' | 'others' | 'assigned' | 'addressed' | 'client';
export type Rows = 'all' | 'site' | 'unscoped' | Ownership;

export const OPERATIONS = ['select', 'insert', 'update', 'delete'] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Grants = Partial<Record<Subject, Rows | readonly Rows[]>>;

export const nobody: Grants = {};
/** The same for each operation. */
export const every = (grants: Grants) =>
  ({ select: grants, insert: grants, update: grants, delete: grants }) as const;
/** Functions alone write it. */
export const readOnly = (select: Grants) => ({ ...every(nobody), select });
export const moneyAll: Grants = { admin: 'all', finance: 'all' };
export const moneyOnly = every(moneyAll);
export const managersAll: Grants = { admin: 'all', ops_manager: 'all' };
export const managersOnly = every(managersAll);
export const siteWork: Grants = { ...managersAll, supervisor: 'site' };
export const shiftWork: Grants = { ...siteWork, dispatcher: 'all' };
export const dispatchAll: Grants = { ...managersAll, dispatcher: 'all' };
export const postBook = readOnly({ ...shiftWork, member: ['own', 'assigned'] });
export const sitePlans: Grants = { ...shiftWork, hr: 'all' };
export const peopleAll: Grants = { ...managersAll, hr: 'all' };
export const timeReaders: Grants = { ...siteWork, hr: 'all', finance: 'all', member: 'own' };
