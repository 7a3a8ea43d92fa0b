// What the page of a client shows besides the client itself.
import { useQuery } from '@tanstack/react-query';
import { fetchHistory } from '#web/lib/data/history.ts';
import { clientsKey, enquiriesKey, sitesKey } from '#web/lib/data/keys.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Client } from './schema.ts';

/** More are on the list of sites. */
const MOST_SITES = 100;

async function fetchSites(clientId: string) {
  const { data } = await supabase()
    .from('sites')
    .select('id, name, address')
    .eq('client_id', clientId)
    .order('name')
    .order('id')
    .limit(MOST_SITES)
    .throwOnError();
  return data;
}

export const useClientSites = (clientId: string) =>
  useLiveQuery('sites', sitesKey, {
    queryKey: [...sitesKey, 'of client', clientId],
    queryFn: () => fetchSites(clientId),
  });

const ENQUIRIES_SHOWN = 5;

const enquiries = () =>
  supabase()
    .from('contact_messages')
    .select('id, name, message, state, created_at')
    .order('created_at', { ascending: false })
    .order('id')
    .limit(ENQUIRIES_SHOWN);

/** Nothing links an enquiry to a client: it is known by the company's name, or by the address of a contact. */
async function fetchEnquiries({ id, name }: Client) {
  const { data: contacts } = await supabase()
    .from('client_contacts')
    .select('email')
    .eq('client_id', id)
    .throwOnError();
  const [ofCompany, ofContacts] = await Promise.all([
    enquiries().eq('company', name).throwOnError(),
    enquiries()
      .in(
        'email',
        contacts.map(({ email }) => email),
      )
      .throwOnError(),
  ]);
  const known = new Map([...ofCompany.data, ...ofContacts.data].map((row) => [row.id, row]));
  return [...known.values()]
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, ENQUIRIES_SHOWN);
}

export const useEnquiriesOf = (client: Client) =>
  useLiveQuery('contact_messages', enquiriesKey, {
    queryKey: [...enquiriesKey, 'of client', client.id, client.name],
    queryFn: () => fetchEnquiries(client),
  });

/** Of the client, its contacts, contracts and sites. */
async function fetchHistoryOf(clientId: string) {
  const [contacts, contracts, sites] = await Promise.all([
    supabase().from('client_contacts').select('id').eq('client_id', clientId).throwOnError(),
    supabase().from('contracts').select('id').eq('client_id', clientId).throwOnError(),
    supabase().from('sites').select('id').eq('client_id', clientId).throwOnError(),
  ]);
  const others = [...contacts.data, ...contracts.data, ...sites.data].map(({ id }) => id);
  return fetchHistory([clientId, ...others]);
}

export const useClientHistory = (clientId: string) =>
  useQuery({
    queryKey: [...clientsKey, 'history', clientId],
    queryFn: () => fetchHistoryOf(clientId),
  });
