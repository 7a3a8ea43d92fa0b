import { Link } from '@tanstack/react-router';
import { MailPlus, UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS, USER_STATUSES } from '#web/lib/vocabulary/statuses.ts';
import { userList, useSetAccountDisabled } from './api.ts';
import { RolesDialog } from './roles-dialog.tsx';
import type { User } from './schema.ts';
import type { UserSearch } from './search.ts';
import { userActions } from './user-actions.ts';
import { userColumns } from './user-columns.tsx';
import { AccountDialog, type AccountQuestion, InviteDialog } from './user-dialogs.tsx';

const FILTERS: Filter<keyof UserSearch>[] = [
  choice('role', 'Role', 'All roles', [
    ...toOptions(USER_ROLES_ROLE, ROLE_LABELS),
    ['none', 'No role'],
  ]),
  choice('state', 'State', 'All states', toOptions(USER_STATUSES, STATUS_LABELS)),
];

type UserListProps = { search: UserSearch; onChange: ChangeSearch<UserSearch> };

export function UserList({ search, onChange }: UserListProps) {
  const me = useAuth().user?.id;
  const { mutateAsync: setDisabled } = useSetAccountDisabled();
  const [question, setQuestion] = useState<AccountQuestion>();
  const columns = useMemo(() => {
    const enable = (user: User) =>
      setDisabled({ user_id: user.id, disabled: false })
        .then(() => showSuccess('Account enabled'))
        .catch((error: unknown) => showError('Error', describeError(error)));
    return userColumns({
      me,
      onRoles: ({ id }) => onChange({ open: id }),
      onDisable: (user) => setQuestion({ about: 'disable', user }),
      onSignOut: (user) => setQuestion({ about: 'sign-out', user }),
      onEnable: (user) => void enable(user),
    });
  }, [me, onChange, setDisabled]);
  return (
    <ListScreen
      {...userList.useScreen(search, onChange)}
      title="User Management"
      buttons={
        <>
          <Button variant="secondary" onClick={() => onChange({ open: 'new' })}>
            <MailPlus aria-hidden="true" className="size-4.5" />
            Invite User
          </Button>
          <Link to="/admin/people/new" className={buttonStyles()}>
            <UserPlus aria-hidden="true" className="size-4.5" />
            Hire a Guard
          </Link>
        </>
      }
      filters={FILTERS}
      room={52}
      bulk={userActions(me)}
      Table={TableRows}
      columns={columns}
      dialog={({ open, onClose }) =>
        open === 'new' ? (
          <InviteDialog onRoles={(id) => onChange({ open: id })} onClose={onClose} />
        ) : (
          <RolesDialog key={open} id={open} isOwn={open === me} onClose={onClose} />
        )
      }
    >
      {question && <AccountDialog {...question} onClose={() => setQuestion(undefined)} />}
    </ListScreen>
  );
}
