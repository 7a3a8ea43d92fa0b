import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import type { Role } from '#shared/grants.ts';
import { mayReadOfOthers } from '#shared/permissions.ts';
import { toE164 } from '#shared/phone.ts';
import { mayManageAccounts, mayManagePeople } from '#shared/screens.ts';
import { peopleKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { parseWholeNumber } from '#web/lib/form-fields/whole-number-field.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';
import type { Account, LeavingForm, Person, PersonForm, StaffRecord } from './schema.ts';

async function fetchAccount(id: string): Promise<Account | null> {
  const { data } = await supabase()
    .from('user_accounts')
    .select('disabled, must_change_password, last_sign_in_at, roles:user_roles(role, sites(name))')
    .eq('id', id)
    .returns<Account[]>()
    .throwOnError();
  return data[0] ?? null;
}

const listedSchema = z.object({
  state: z.string(),
  roles: z.array(z.enum(USER_ROLES_ROLE)),
  supervised_sites: z.string().nullable(),
});

/** What HR knows of an account. */
async function fetchListed(id: string): Promise<Account | null> {
  const { data } = await supabase()
    .from('people_list')
    .select('state, roles, supervised_sites')
    .eq('id', id)
    .throwOnError();
  if (data[0] === undefined) return null;
  const { state, roles, supervised_sites } = listedSchema.parse(data[0]);
  const sites = supervised_sites === null ? null : { name: supervised_sites };
  return {
    disabled: state === 'left',
    must_change_password: state === 'invited',
    roles: roles.map((role) => ({ role, sites: role === 'supervisor' ? sites : null })),
  };
}

function accountOf(id: string, roles: readonly Role[]): Promise<Account | null> | null {
  if (mayManageAccounts(roles)) return fetchAccount(id);
  return mayManagePeople(roles) ? fetchListed(id) : null;
}

async function fetchStaff(column: 'id' | 'user_id', id: string): Promise<StaffRecord | null> {
  const { data } = await supabase().from('staff').select('*').eq(column, id).throwOnError();
  return data[0] ?? null;
}

/** @returns null if there is no such person, or the user may not read them */
async function fetchPerson(id: string, roles: readonly Role[]): Promise<Person | null> {
  const readsStaff = mayReadOfOthers(roles, 'staff');
  const [profile, account, staff] = await Promise.all([
    supabase()
      .from('profiles')
      .select(
        'id, full_name, email, phone, home_area, home_region, home_position, max_distance_km, left_on, photo_path',
      )
      .eq('id', id)
      .maybeSingle()
      .throwOnError(),
    accountOf(id, roles),
    readsStaff ? fetchStaff('user_id', id) : null,
  ]);
  if (profile.data !== null) return { ...profile.data, hasAccount: true, account, staff };
  const record = readsStaff ? await fetchStaff('id', id) : null;
  if (record === null) return null;
  if (record.user_id !== null) return fetchPerson(record.user_id, roles);
  const { full_name, email, phone, end_date } = record;
  return {
    id,
    hasAccount: false,
    full_name,
    email,
    phone: (phone && toE164(phone)) ?? phone,
    home_area: null,
    home_region: null,
    home_position: null,
    max_distance_km: null,
    left_on: end_date,
    photo_path: null,
    account: null,
    staff: record,
  };
}

const PERSON_TABLES = ['profiles', 'staff', 'user_roles'] as const;

/** The data is null if there is no such person. */
export function usePersonPage(id: string): UseQueryResult<Person | null> {
  const { roles } = useAuth();
  useLiveTable(PERSON_TABLES, peopleKey);
  return useQuery({
    queryKey: [...peopleKey, id, 'person', roles],
    queryFn: () => fetchPerson(id, roles),
  });
}

type Edit = { id: string; form: PersonForm };

async function editPerson({ id, form }: Edit): Promise<void> {
  const { full_name, email, phone, home_area, home_region, home_position } = form;
  const max_distance_km =
    form.max_distance_km === '' ? null : parseWholeNumber(form.max_distance_km);
  await supabase()
    .rpc('edit_person', {
      p_user_id: id,
      p_full_name: full_name,
      p_email: email,
      p_phone: phone,
      p_home_area: home_area,
      p_reach: { home_region, home_position, max_distance_km },
    })
    .throwOnError();
}

export const useEditPerson = () => useChange(peopleKey, editPerson);

async function fetchTies(id: string) {
  const { data } = await supabase()
    .rpc('employment_ties', { p_user_id: id })
    .single()
    .throwOnError();
  return data;
}

/** Fetched each time the dialog opens. */
export const useEmploymentTies = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'ties'], queryFn: () => fetchTies(id), gcTime: 0 });

type Leaving = { id: string; form: LeavingForm };

async function endEmployment({ id, form }: Leaving): Promise<void> {
  await supabase()
    .rpc('end_employment', { p_user_id: id, p_last_day: form.last_day, p_reason: form.reason })
    .throwOnError();
}

export const useEndEmployment = () => useChange(peopleKey, endEmployment);

async function fetchErasure(id: string) {
  const { data } = await supabase()
    .rpc('erasure_preview', { p_user_id: id })
    .single()
    .throwOnError();
  return data;
}
export type ErasurePreview = Awaited<ReturnType<typeof fetchErasure>>;

/** Fetched each time the dialog opens. */
export const useErasurePreview = (id: string) =>
  useQuery({ queryKey: [...peopleKey, id, 'erasure'], queryFn: () => fetchErasure(id), gcTime: 0 });

async function erasePerson({ id, typed }: { id: string; typed: string }): Promise<void> {
  await supabase().rpc('erase_person', { p_user_id: id, p_name: typed }).throwOnError();
}

export const useErasePerson = () => useChange(peopleKey, erasePerson);

async function reinstate(user_id: string): Promise<void> {
  await supabase().rpc('set_account_disabled', { user_id, disabled: false }).throwOnError();
}

export const useReinstate = () => useChange(peopleKey, reinstate);

export type StartCode = { code: string; expires_at: string };

async function createStartCode(id: string): Promise<StartCode> {
  const { data } = await supabase()
    .rpc('create_start_code', { p_user_id: id })
    .single()
    .throwOnError();
  return data;
}

export const useCreateStartCode = () => useChange(peopleKey, createStartCode);

async function resendInvitation(user_id: string): Promise<void> {
  await invokeFunction('resend-invitation', { user_id });
}

export const useResendInvitation = () => useChange(peopleKey, resendInvitation);
