import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { Role } from '#shared/grants.ts';
import { usersKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { deleteRecords, undoableDeletion } from '#web/lib/data/many-rows.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { readErrorCode } from '#web/lib/errors/error-message.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import {
  findUserStatus,
  type HeldRole,
  heldRoleLabel,
  type Invitation,
  type User,
} from './schema.ts';
import type { UserSearch } from './search.ts';

type UserFilters = Pick<UserSearch, 'q' | 'role' | 'state' | 'sort'>;

const SORTS = { name: 'full_name', email: 'email', joined: 'created_at' };

const SELECTED = '*, user_roles(id, role, site_id, sites(name))';

function filteredUsers({ q = '', role, state }: Omit<UserFilters, 'sort'>) {
  // A second embed for the role filter: filtering `user_roles` itself would hide the account's other roles.
  const columns = role && role !== 'none' ? `${SELECTED}, held:user_roles!inner(role)` : SELECTED;
  let query = supabase().from('user_accounts').select(columns, { count: 'exact' });
  if (role === 'none') query = query.is('user_roles', null);
  else if (role) query = query.eq('held.role', role);
  if (state) query = query.eq('disabled', state === 'disabled');
  if (state === 'invited' || state === 'active') {
    query = query.eq('must_change_password', state === 'invited');
  }
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  return query;
}

/** Accounts that match the search and filters, newest first by default. */
function usersQuery(filters: UserFilters) {
  const { column, ascending } = parseOrder(filters.sort, SORTS, {
    column: 'created_at',
    ascending: false,
  });
  return filteredUsers(filters).order(column, { ascending }).order('id').returns<User[]>();
}

const TABLES = ['user_roles', 'profiles'] as const;

async function fetchUser(id: string): Promise<User | null> {
  const { data } = await supabase()
    .from('user_accounts')
    .select(SELECTED)
    .eq('id', id)
    .returns<User[]>()
    .throwOnError();
  return data[0] ?? null;
}

/** The data is null if the account does not exist. */
export const useUser = (id: string) =>
  useQuery({ queryKey: [...usersKey, 'one', id], queryFn: () => fetchUser(id) });

const EXPORT_COLUMNS: TableColumn<User>[] = [
  { heading: 'Name', value: (user) => user.full_name },
  { heading: 'Email', value: (user) => user.email },
  { heading: 'Phone', value: (user) => user.phone },
  { heading: 'Roles', value: (user) => user.user_roles.map(heldRoleLabel).join(', ') },
  { heading: 'Joined', kind: 'time', value: (user) => user.created_at },
  { heading: 'State', value: (user) => STATUS_LABELS[findUserStatus(user)] },
  { heading: 'Address confirmed', value: (user) => (user.unconfirmed ? 'No' : 'Yes') },
  { heading: 'Last sign-in', kind: 'time', value: (user) => user.last_sign_in_at },
];

export const userList = listQueries('users', {
  key: usersKey,
  tables: TABLES,
  filters: ['q', 'role', 'state', 'sort'],
  rows: usersQuery,
  columns: EXPORT_COLUMNS,
});

const invitedSchema = z.object({ user_id: z.uuid() });

/**
 * Creates an account with a temporary password and emails its owner.
 * @returns id of the new account
 */
async function inviteUser(invitation: Invitation): Promise<string> {
  return invitedSchema.parse(await invokeFunction('invite-user', invitation)).user_id;
}

export const useInviteUser = () => useChange(usersKey, inviteUser);

type NewRole = { user_id: string; role: Role; site_id: string | null };

/** @throws when the caller adds a role to their own account, which the database refuses */
async function addRole(row: NewRole): Promise<void> {
  try {
    await supabase().from('user_roles').insert(row).throwOnError();
  } catch (error) {
    if (readErrorCode(error) === '23505') throw new Error('This user already has this role.');
    throw error;
  }
}

export const useAddRole = () => useChange(usersKey, addRole);

type RoleRemoval = Pick<HeldRole, 'role' | 'site_id'> & { user_id: string };

/**
 * Succeeds if the role was already removed.
 * @throws for the last admin
 */
async function removeRole({ user_id, role, site_id }: RoleRemoval): Promise<void> {
  const removal = supabase().from('user_roles').delete().eq('user_id', user_id).eq('role', role);
  await (site_id === null
    ? removal.is('site_id', null)
    : removal.eq('site_id', site_id)
  ).throwOnError();
}

export const useRemoveRole = () => useChange(usersKey, removeRole);

/** Disabling an account also ends all its sessions. */
async function setAccountDisabled(args: { user_id: string; disabled: boolean }): Promise<void> {
  await supabase().rpc('set_account_disabled', args).throwOnError();
}

export const useSetAccountDisabled = () => useChange(usersKey, setAccountDisabled);

async function signOutEverywhere(user_id: string): Promise<void> {
  await supabase().rpc('sign_out_everywhere', { user_id }).throwOnError();
}

export const useSignOutEverywhere = () => useChange(usersKey, signOutEverywhere);

const changedRoles = z.array(z.looseObject({ id: z.uuid() }));

/** Users who have the role already are left alone. */
export async function giveRole(ids: string[], role: string, siteId: string | undefined) {
  const { data } = await supabase()
    .rpc('give_role', { p_user_ids: ids, p_role: role, ...(siteId && { p_site_id: siteId }) })
    .throwOnError();
  const added = changedRoles.parse(data).map(({ id }) => id);
  return {
    changed: added.length,
    async undo() {
      await deleteRecords('user_roles', added);
      return undefined;
    },
  };
}

/** Removes the role for every site. */
export async function takeRole(ids: string[], role: string) {
  const { data } = await supabase()
    .rpc('remove_role', { p_user_ids: ids, p_role: role })
    .throwOnError();
  return undoableDeletion('user_roles', data);
}
