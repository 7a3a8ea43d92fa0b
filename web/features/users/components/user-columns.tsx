// The columns of the accounts.
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { EmailText } from '#web/components/ui/email-text.tsx';
import { nameOf } from '#web/lib/data/people.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { heldRoleLabel, STATE_LABELS, STATE_TONES } from '../labels.ts';
import { stateOf, type User } from '../schema.ts';
import { type AccountActions, UserActions } from './user-actions.tsx';

function StateBadge({ user }: { user: User }) {
  const state = stateOf(user);
  if (state === 'active') return null;
  return <Badge tone={STATE_TONES[state]}>{STATE_LABELS[state]}</Badge>;
}

type Options = AccountActions & {
  /** Id of the admin who looks: what nobody may do to themselves is not offered. */
  me: string | undefined;
};

export const userColumns = ({ me, ...actions }: Options) =>
  columnsOf<User>((column) => [
    column.display({
      id: 'name',
      header: 'Name',
      meta: { card: 'title', sort: 'name', className: 'font-semibold' },
      cell: ({ row: { original } }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1 py-1.5">
          {nameOf(original)}
          {original.id === me && <Badge tone="blue">You</Badge>}
          <StateBadge user={original} />
          {original.unconfirmed && <Badge tone="orange">Unconfirmed</Badge>}
        </span>
      ),
    }),
    column.display({
      id: 'email',
      header: 'Email',
      meta: { sort: 'email', className: '[overflow-wrap:anywhere]' },
      cell: ({ row: { original } }) =>
        original.email ? <EmailText address={original.email} /> : '-',
    }),
    column.display({
      id: 'roles',
      header: 'Roles',
      cell: ({ row }) => row.original.user_roles.map(heldRoleLabel).join(', ') || '-',
    }),
    column.display({
      id: 'joined',
      header: 'Joined',
      meta: { sort: 'joined', className: 'whitespace-nowrap' },
      cell: ({ row: { original } }) => (
        <time dateTime={original.created_at}>{formatDateTime(original.created_at)}</time>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row }) => (
        <UserActions user={row.original} isOwn={row.original.id === me} {...actions} />
      ),
    }),
  ]);
