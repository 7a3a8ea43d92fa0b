import { Ban, CircleCheck, LogOut, MoreHorizontal, UserCog } from 'lucide-react';
import { formatPhone } from '#shared/phone.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { EmailText } from '#web/components/text/email-text.tsx';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatName } from '#web/lib/format/person-name.ts';
import { findUserStatus, heldRoleLabel, type User } from './schema.ts';

type AccountActions = {
  onRoles: (user: User) => void;
  onDisable: (user: User) => void;
  onEnable: (user: User) => void;
  onSignOut: (user: User) => void;
};

type UserActionsProps = AccountActions & {
  user: User;
  /** Admins can't disable or sign out their own account here; the Account screen does the latter. */
  isOwn: boolean;
};

function UserActions({ user, isOwn, ...actions }: UserActionsProps) {
  const name = formatName(user);
  return (
    <div className="relative flex justify-end print:hidden">
      <Button
        variant="ghost"
        className="px-3"
        aria-label={`Manage roles of ${name}`}
        onClick={() => actions.onRoles(user)}
      >
        <UserCog aria-hidden="true" className="size-4" />
        Manage Roles
      </Button>
      {!isOwn && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="ghost" size="icon" title="More" aria-label={`More about ${name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            <DropdownMenuItem onSelect={() => actions.onSignOut(user)}>
              <LogOut aria-hidden="true" className="size-4 text-muted" />
              Sign out everywhere
            </DropdownMenuItem>
            {user.disabled ? (
              <DropdownMenuItem onSelect={() => actions.onEnable(user)}>
                <CircleCheck aria-hidden="true" className="size-4 text-success" />
                Enable account
              </DropdownMenuItem>
            ) : (
              <DropdownMenuItem className="text-danger" onSelect={() => actions.onDisable(user)}>
                <Ban aria-hidden="true" className="size-4" />
                Disable account
              </DropdownMenuItem>
            )}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </div>
  );
}

function StateBadge({ user }: { user: User }) {
  const state = findUserStatus(user);
  if (state === 'active') return null;
  return <StatusBadge status={state} />;
}

/** `me`: id of the signed-in admin. */
type Options = AccountActions & { me: string | undefined };

export const userColumns = ({ me, ...actions }: Options): Column<User>[] => [
  {
    header: 'Name',
    card: 'title',
    sort: 'name',
    className: 'font-semibold',
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1 py-1.5">
        <PersonLink id={row.id} name={formatName(row)} />
        {row.id === me && <Badge tone="blue">You</Badge>}
        <StateBadge user={row} />
        {row.unconfirmed && <Badge tone="orange">Unconfirmed</Badge>}
      </span>
    ),
  },
  {
    header: 'Email',
    sort: 'email',
    className: '[overflow-wrap:anywhere]',
    cell: (row) => {
      if (row.email) return <EmailText address={row.email} />;
      return row.phone ? formatPhone(row.phone) : '-';
    },
  },
  { header: 'Roles', cell: (row) => row.user_roles.map(heldRoleLabel).join(', ') || '-' },
  {
    header: 'Joined',
    sort: 'joined',
    className: 'whitespace-nowrap',
    cell: (row) => <MomentText at={row.created_at} />,
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right',
    cell: (row) => <UserActions user={row} isOwn={row.id === me} {...actions} />,
  },
];
