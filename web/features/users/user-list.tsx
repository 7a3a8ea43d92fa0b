import { UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ROLES } from '#shared/permissions.ts';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS, USER_STATUSES } from '#web/lib/vocabulary/statuses.ts';
import { exportUsers, useSetAccountDisabled, useUsers } from './api.ts';
import { RolesDialog } from './roles-dialog.tsx';
import type { User, UserSearch } from './schema.ts';
import { userColumns } from './user-columns.tsx';
import { AccountDialog, type AccountQuestion, InviteDialog } from './user-dialogs.tsx';

const ROLE_OPTIONS = [
  ...ROLES.map((role) => [role, ROLE_LABELS[role]] as const),
  ['none', 'No role'] as const,
];
const STATE_OPTIONS = USER_STATUSES.map((state) => [state, STATUS_LABELS[state]] as const);

type UserListProps = { search: UserSearch; onChange: ChangeSearch<UserSearch> };

export function UserList({ search, onChange }: UserListProps) {
  const { q = '', role, state, sort, page = 1, open } = search;
  const me = useAuth().user?.id;
  const query = useUsers({ q, role, state, sort, page });
  const { mutateAsync: setDisabled } = useSetAccountDisabled();
  const [isInviting, setInviting] = useState(false);
  const [question, setQuestion] = useState<AccountQuestion>();
  const columns = useMemo(() => {
    const enable = (user: User) =>
      setDisabled({ user_id: user.id, disabled: false })
        .then(() => showSuccess('Account enabled'))
        .catch((error: unknown) => showError('Error', messageOf(error)));
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
      title="User Management"
      exportRecords={() => exportUsers({ q, role, state, sort })}
      buttons={
        <Button onClick={() => setInviting(true)}>
          <UserPlus aria-hidden="true" className="size-4.5" />
          Invite User
        </Button>
      }
      searchLabel="Search users"
      q={q}
      onChange={onChange}
      filters={
        <>
          <FilterSelect
            label="Role"
            all="All roles"
            options={ROLE_OPTIONS}
            value={role}
            onChange={(value) => onChange({ role: value, page: undefined })}
          />
          <FilterSelect
            label="State"
            all="All states"
            options={STATE_OPTIONS}
            value={state}
            onChange={(value) => onChange({ state: value, page: undefined })}
          />
        </>
      }
    >
      <PagedTable
        query={query}
        loading="Loading users..."
        empty="No users match. Change the search or the filters."
        room={52}
        label="Users"
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        sort={sort}
        onChange={onChange}
      />
      {isInviting && (
        <InviteDialog onRoles={(id) => onChange({ open: id })} onClose={() => setInviting(false)} />
      )}
      {open && (
        <RolesDialog
          key={open}
          id={open}
          isOwn={open === me}
          onClose={() => onChange({ open: undefined })}
        />
      )}
      {question && <AccountDialog {...question} onClose={() => setQuestion(undefined)} />}
    </ListScreen>
  );
}
