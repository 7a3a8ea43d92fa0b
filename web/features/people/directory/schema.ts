import type { Database } from '#shared/database.types.ts';
import type { Role } from '#shared/grants.ts';
import type { PEOPLE_STATES } from '#web/lib/vocabulary/statuses.ts';

/** What a record can lack, as `people_list.missing` names it, in the order of the filter. */
export const MISSING = [
  'role',
  'account',
  'sign_in',
  'phone',
  'photo',
  'home',
  'certificate',
  'pay',
] as const;
type Missing = (typeof MISSING)[number];

export const MISSING_LABELS: Record<Missing, string> = {
  role: 'Role',
  account: 'Account',
  sign_in: 'First sign-in',
  phone: 'Phone',
  photo: 'Photo',
  home: 'Home area',
  certificate: 'Valid certificate',
  pay: 'Pay record',
};

type View = Database['public']['Views']['people_list']['Row'];

/** In the generated types some columns of a view are nullable that never are. */
export type PersonRow = Omit<View, 'roles' | 'state' | 'missing'> & {
  roles: Role[];
  state: (typeof PEOPLE_STATES)[number];
  missing: Missing[];
};
