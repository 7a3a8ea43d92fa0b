import type { SupabaseClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { Refusal } from '../_shared/answer.ts';

export const Invitation = z.object({
  client_id: z.uuid('Choose a client'),
  email: z
    .string({ error: 'Email is required' })
    .trim()
    .toLowerCase()
    .max(255, 'Email must be less than 255 characters')
    .pipe(z.email('Invalid email address')),
  full_name: z
    .string({ error: 'Full name is required' })
    .trim()
    .min(1, 'Full name is required')
    .max(200, 'Full name must be less than 200 characters'),
  phone: z.string().trim().max(50, 'Phone must be less than 50 characters').optional(),
  access_until: z.iso.date('Enter a date').optional(),
});
type Invitation = z.infer<typeof Invitation>;

const Accounts = z.array(z.object({ user_id: z.uuid(), is_contact: z.boolean() }));

/** @returns the account of an earlier contact with this address, if any @throws Refusal 409 if it is of another kind */
async function accountOf(service: SupabaseClient, email: string): Promise<string | undefined> {
  const { data, error } = await service.rpc('account_for_contact', { p_email: email });
  if (error !== null) throw error;
  const [account] = Accounts.parse(data);
  if (account?.is_contact === false) {
    throw new Refusal(
      409,
      'email_exists',
      'This address belongs to an account of someone who works for the company.',
    );
  }
  return account?.user_id;
}

async function newAccount(
  service: SupabaseClient,
  { email, full_name }: Invitation,
): Promise<string> {
  const { data, error } = await service.auth.admin.createUser({
    email,
    email_confirm: true,
    user_metadata: { full_name },
    // The app opens the portal of clients for it. What it may read, the database decides.
    app_metadata: { client: true },
  });
  if (error !== null) throw error;
  return data.user.id;
}

/**
 * Adds the contact as the caller, so that the policies decide, and links an account: both, or neither.
 * @returns id of the contact
 */
export async function addContact(
  caller: SupabaseClient,
  service: SupabaseClient,
  invitation: Invitation,
): Promise<string> {
  const known = await accountOf(service, invitation.email);
  const added = await caller.from('client_contacts').insert(invitation).select('id').single();
  if (added.error !== null) {
    const { code, message } = added.error;
    if (code === '23505') {
      throw new Refusal(409, code, 'This address is already a contact of this client.');
    }
    if (code === '42501') throw new Refusal(403, code, 'Only managers add contacts.');
    if (code === '23503') throw new Refusal(409, code, 'This client no longer exists.');
    if (code.startsWith('23')) throw new Refusal(400, code, message);
    throw added.error;
  }
  const { id } = z.object({ id: z.uuid() }).parse(added.data);
  let made: string | undefined;
  try {
    if (known === undefined) made = await newAccount(service, invitation);
    const linked = await service
      .from('client_contacts')
      .update({ user_id: known ?? made })
      .eq('id', id);
    if (linked.error !== null) throw linked.error;
    return id;
  } catch (error) {
    const { error: kept } = await service.from('client_contacts').delete().eq('id', id);
    if (kept !== null) console.error(`contact ${id} without an account was not deleted`, kept);
    if (made !== undefined) await service.auth.admin.deleteUser(made);
    throw error;
  }
}
