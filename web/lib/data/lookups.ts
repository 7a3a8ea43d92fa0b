// The sites, people and clients that pickers, filters and suggestions offer.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { formatName } from '../format/person-name.ts';
import { supabase } from '../supabase/client.ts';
import { everyRow } from './every-row.ts';
import { clientsKey, postsKey, sitesKey, staffKey } from './keys.ts';
import { searchPatterns } from './search-filter.ts';

const PICKER_LIMIT = 20;
/** A company of usual size can choose without typing. */
const SITE_LIMIT = 100;
const SUGGESTION_LIMIT = 8;

/** `timezone` is an IANA name. */
export type SiteOption = { id: string; name: string; client_name: string; timezone: string };

const fetchSites = (): Promise<SiteOption[]> =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('sites')
      .select('id, name, client_name, timezone')
      .order('name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

const sitesQuery = queryOptions({ queryKey: [...sitesKey, 'options'], queryFn: fetchSites });

export const useSiteOptions = () => useQuery(sitesQuery);

const sites = () => supabase().from('sites').select('id, name, client_name');

async function fetchMatchingSites(text: string) {
  let query = sites();
  const patterns = searchPatterns(text);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { data } = await query.order('name').order('id').limit(SITE_LIMIT).throwOnError();
  return data.map(({ id, name, client_name }) => ({ id, label: name, hint: client_name }));
}

/** The first sites, by name, in whose name or client each word of the text occurs. */
export const useMatchingSites = (text: string) =>
  useQuery({
    queryKey: [...sitesKey, 'found', text],
    queryFn: () => fetchMatchingSites(text),
    placeholderData: keepPreviousData,
  });

async function fetchSite(id: string) {
  const { data } = await sites().eq('id', id).maybeSingle().throwOnError();
  return data ? { id, label: data.name, hint: data.client_name } : null;
}

/** The site that a filter in the address names. */
export const useSite = (id: string | undefined) =>
  useQuery({
    queryKey: [...sitesKey, 'one', id],
    queryFn: () => (id === undefined ? null : fetchSite(id)),
    enabled: id !== undefined,
  });

/** @returns null if the person is unknown, or hidden from the user */
export async function fetchNameOf(id: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('full_name, email')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

async function fetchPostOptions(siteId: string) {
  const { data } = await supabase()
    .from('posts')
    .select('id, name')
    .eq('site_id', siteId)
    .order('name')
    .throwOnError();
  return data;
}

/** The posts of a site, by name. @param siteId empty: none */
export const usePostOptions = (siteId: string) =>
  useQuery({
    queryKey: [...postsKey, 'options', siteId],
    queryFn: () => fetchPostOptions(siteId),
    enabled: siteId !== '',
  });

type Person = {
  id: string;
  full_name: string | null;
  email: string | null;
  phone: string | null;
};

const toChoice = (person: Person) => ({
  id: person.id,
  label: formatName(person),
  hint: person.email ?? person.phone ?? '',
});

const profiles = () => supabase().from('profiles').select('id, full_name, email, phone');

async function fetchPeople(text: string, isNamed: boolean) {
  let query = profiles();
  if (isNamed) query = query.neq('full_name', '');
  const patterns = searchPatterns(text);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const limit = isNamed ? SUGGESTION_LIMIT : PICKER_LIMIT;
  const { data } = await query.order('full_name').order('id').limit(limit).throwOnError();
  return data.map(toChoice);
}

/** The first people, by name, in whose name or email address each word of the text occurs. */
export function usePeople(text: string) {
  return useQuery({
    queryKey: ['profiles', 'found', text],
    queryFn: () => fetchPeople(text, false),
    placeholderData: keepPreviousData,
  });
}

/** Names of people, as suggestions for a text field. */
export const useGuardNames = (text: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['profiles', 'names', text],
    queryFn: () => fetchPeople(text, true),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });

async function fetchPerson(id: string) {
  const { data } = await profiles().eq('id', id).maybeSingle().throwOnError();
  return data ? toChoice(data) : { id, label: 'Former user' };
}

/** The person that a filter in the address names. */
export function usePerson(id: string | undefined) {
  return useQuery({
    queryKey: ['profiles', 'one', id],
    queryFn: () => (id === undefined ? null : fetchPerson(id)),
    enabled: id !== undefined,
  });
}

async function fetchStaff(text: string) {
  let query = supabase().from('staff').select('id, full_name, email, phone').eq('status', 'active');
  const patterns = searchPatterns(text);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { data } = await query.order('full_name').order('id').limit(PICKER_LIMIT).throwOnError();
  return data.map(toChoice);
}

/** The first active staff records, by name, in whose name, email address or phone each word of the text occurs. */
export const useStaff = (text: string) =>
  useQuery({
    queryKey: [...staffKey, 'found', text],
    queryFn: () => fetchStaff(text),
    placeholderData: keepPreviousData,
  });

export const fetchClients = () =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('clients')
      .select('id, name')
      .order('name')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });

export const useClientOptions = () =>
  useQuery({ queryKey: [...clientsKey, 'options'], queryFn: fetchClients });

async function fetchClientNames(text: string) {
  let query = supabase().from('clients').select('id, name, location');
  const patterns = searchPatterns(text);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  const { data } = await query.order('name').order('id').limit(SUGGESTION_LIMIT).throwOnError();
  return data.map(({ id, name, location }) => ({ id, label: name, hint: location }));
}

/** Names of clients, as suggestions for a text field. */
export const useClientNames = (text: string, isWanted: boolean) =>
  useQuery({
    queryKey: [...clientsKey, 'names', text],
    queryFn: () => fetchClientNames(text),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
