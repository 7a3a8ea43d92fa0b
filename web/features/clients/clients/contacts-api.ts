import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { clientContactsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { invokeFunction } from '#web/lib/supabase/functions.ts';

export type Contact = Pick<
  Database['public']['Tables']['client_contacts']['Row'],
  'id' | 'full_name' | 'email' | 'phone' | 'access_until' | 'revoked_at'
> & { last_seen_at: string | null };

/** Whether the contact no longer sees anything in the portal. */
export const hasEnded = ({ revoked_at, access_until }: Contact): boolean =>
  revoked_at !== null || access_until < today();

export const contactSchema = z.object({
  full_name: textField('Full name', limits.CLIENT_CONTACTS_FULL_NAME_MAX).min(
    1,
    'Full name is required',
  ),
  email: textField('Email', limits.CLIENT_CONTACTS_EMAIL_MAX).pipe(
    z.email('Invalid email address'),
  ),
  phone: textField('Phone', limits.CLIENT_CONTACTS_PHONE_MAX),
  access_until: z.iso.date('Choose the last day'),
});
export type ContactForm = z.infer<typeof contactSchema>;

async function fetchContacts(clientId: string): Promise<Contact[]> {
  const [contacts, visits] = await Promise.all([
    supabase()
      .from('client_contacts')
      .select('id, full_name, email, phone, access_until, revoked_at')
      .eq('client_id', clientId)
      .order('revoked_at', { nullsFirst: true })
      .order('full_name')
      .order('id')
      .throwOnError(),
    supabase().rpc('client_contact_visits', { p_client_id: clientId }).throwOnError(),
  ]);
  const seen = new Map(visits.data.map((visit) => [visit.contact_id, visit.last_seen_at]));
  return contacts.data.map((row) => ({ ...row, last_seen_at: seen.get(row.id) ?? null }));
}

export const useContacts = (clientId: string) =>
  useLiveQuery('client_contacts', clientContactsKey, {
    queryKey: [...clientContactsKey, clientId],
    queryFn: () => fetchContacts(clientId),
  });

const answerSchema = z.object({ mailed: z.boolean() });

/** @returns whether the mail with the link is on its way */
async function addContact({ clientId, form }: { clientId: string; form: ContactForm }) {
  const { phone, ...rest } = form;
  const body = { ...rest, client_id: clientId, ...(phone && { phone }) };
  return answerSchema.parse(await invokeFunction('invite-client', body)).mailed;
}

export const useAddContact = () => useChange(clientContactsKey, addContact);

export const sendLink = (id: string) => invokeFunction('invite-client', { contact_id: id });

async function endAccess(id: string): Promise<void> {
  await supabase().rpc('revoke_client_access', { p_contact_id: id }).throwOnError();
}

export const useEndAccess = () => useChange(clientContactsKey, endAccess);

async function eraseContact({ id, typed }: { id: string; typed: string }): Promise<void> {
  await supabase().rpc('erase_contact', { p_contact_id: id, p_name: typed }).throwOnError();
}

export const useEraseContact = () => useChange(clientContactsKey, eraseContact);
