import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import type { Role } from '#shared/grants.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import type { USER_STATUSES } from '#web/lib/vocabulary/statuses.ts';

type Account = Database['public']['Views']['user_accounts']['Row'];
type Always = 'id' | 'created_at' | 'disabled' | 'must_change_password' | 'unconfirmed';

/** A role of an account. `sites` is the one site a supervisor is limited to; null means all sites. */
export type HeldRole = {
  id: string;
  role: Role;
  site_id: string | null;
  sites: { name: string } | null;
};

/** In the generated types every column of a view is nullable. */
export type User = { [Column in Always]: NonNullable<Account[Column]> } & Omit<Account, Always> & {
    user_roles: HeldRole[];
  };

type UserStatus = (typeof USER_STATUSES)[number];

/** @returns `invited` until the temporary password has been changed */
export function findUserStatus(user: Pick<User, 'disabled' | 'must_change_password'>): UserStatus {
  if (user.disabled) return 'disabled';
  return user.must_change_password ? 'invited' : 'active';
}

/** @returns for example "Supervisor (Freeport Container Yard)" or "Supervisor (all sites)" */
export function heldRoleLabel({ role, site_id, sites }: HeldRole): string {
  if (role !== 'supervisor') return ROLE_LABELS[role];
  return `${ROLE_LABELS[role]} (${site_id === null ? 'all sites' : (sites?.name ?? 'one site')})`;
}

export const invitationSchema = z.object({
  full_name: z
    .string()
    .trim()
    .min(1, 'Full name is required')
    .max(
      limits.PROFILES_FULL_NAME_MAX,
      `Full name must be less than ${limits.PROFILES_FULL_NAME_MAX} characters`,
    ),
  email: z
    .string()
    .trim()
    .min(1, 'Email is required')
    .max(limits.STAFF_EMAIL_MAX, `Email must be less than ${limits.STAFF_EMAIL_MAX} characters`)
    .pipe(z.email('Invalid email address')),
  password: z.string().min(8, 'The temporary password must be at least 8 characters'),
});
export type Invitation = z.infer<typeof invitationSchema>;

const site = z.object({ id: z.uuid(), label: z.string() });

export const roleSchema = z.object({
  role: z
    .union([z.literal(''), z.enum(USER_ROLES_ROLE)])
    .refine((role): boolean => role !== '', 'Choose a role first'),
  /** For supervisors only; undefined means all sites. */
  site: site.optional(),
});
export type RoleForm = z.infer<typeof roleSchema>;
