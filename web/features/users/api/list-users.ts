// One page of the accounts, newest first, refreshed whenever one or its roles change.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { usersKey } from '../../../lib/data/keys.ts';
import type { User, UserSearch } from '../schema.ts';

export type UserFilters = Pick<UserSearch, 'q' | 'role' | 'state' | 'sort'>;

const SORTS = { name: 'full_name', email: 'email', joined: 'created_at' };

const COLUMNS = '*, user_roles(id, role, site_id, sites(name))';

function narrowed({ q = '', role, state }: Omit<UserFilters, 'sort'>) {
  // Beside all roles of a person, the one that is looked for: filtering the first would hide the others.
  const columns = role && role !== 'none' ? `${COLUMNS}, held:user_roles!inner(role)` : COLUMNS;
  let query = supabase().from('user_accounts').select(columns, { count: 'exact' });
  if (role === 'none') query = query.is('user_roles', null);
  else if (role) query = query.eq('held.role', role);
  if (state) query = query.eq('disabled', state === 'disabled');
  if (state === 'invited' || state === 'active') {
    query = query.eq('must_change_password', state === 'invited');
  }
  for (const filter of searchFilters(['full_name', 'email'], q)) query = query.or(filter);
  return query;
}

/** The accounts that a search and filters leave, in the order of the screen. */
export function usersQuery(filters: UserFilters) {
  const { column, ascending } = orderOf(filters.sort, SORTS, {
    column: 'created_at',
    ascending: false,
  });
  return narrowed(filters).order(column, { ascending }).order('id').returns<User[]>();
}

const TABLES = ['user_roles', 'profiles'] as const;

export function useUsers({ page = 1, ...filters }: UserFilters & Pick<UserSearch, 'page'>) {
  useLiveTable(TABLES, usersKey);
  return useQuery({
    queryKey: [...usersKey, 'list', filters, page],
    queryFn: async () => pageOf(await usersQuery(filters).range(...rangeOf(page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
