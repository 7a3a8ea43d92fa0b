import { UserRoundMinus, UserRoundPlus } from 'lucide-react';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import type { ActionField, BulkActions } from '#web/components/list/list-actions.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { giveRole, takeRole } from './api.ts';
import type { User } from './schema.ts';

const roleField: ActionField = {
  kind: 'choice',
  name: 'role',
  label: 'Role',
  options: USER_ROLES_ROLE.map((role) => [role, ROLE_LABELS[role]] as const),
};

const idsOf = (rows: User[]) => rows.map(({ id }) => id);

/** @param me id of the user, who can't change their own roles */
export const userActions = (me: string | undefined): BulkActions<User> => ({
  noun: ['user', 'users'],
  nameOf: formatName,
  actions: [
    {
      label: 'Give role',
      icon: UserRoundPlus,
      appliesTo: ({ id }) => id !== me,
      leftOut: 'your own account',
      fields: [
        roleField,
        {
          kind: 'site',
          name: 'site',
          label: 'Site',
          emptyLabel: 'All sites',
          hint: 'Only for supervisors.',
          optional: true,
        },
      ],
      check: ({ role, site }) =>
        site !== '' && role !== 'supervisor' ? 'Only supervisors are limited to a site' : undefined,
      run: (rows, { role = '', site }) => giveRole(idsOf(rows), role, site),
      done: 'given the role',
    },
    {
      label: 'Remove role',
      icon: UserRoundMinus,
      isDanger: true,
      appliesTo: ({ id, user_roles }) => id !== me && user_roles.length > 0,
      leftOut: 'without a role, or your own account',
      fields: [roleField],
      consequence: () => 'They lose access at once, for every site that they have the role for.',
      run: (rows, { role = '' }) => takeRole(idsOf(rows), role),
      done: 'without the role',
    },
  ],
});
