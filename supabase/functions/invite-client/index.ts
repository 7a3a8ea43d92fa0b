// POST { client_id, email, full_name, phone?, access_until? } → { contact_id, mailed }: a manager gives a contact of a client
// access, and a sign-in link is mailed. POST { contact_id } → the same: mails another link to a contact with access.
import type { SupabaseClient } from '@supabase/supabase-js';
import { z } from 'zod';
import { answerPost, Refusal } from '../_shared/answer.ts';
import { callersClient, serviceClient } from '../_shared/clients.ts';
import { mailClientLink } from '../_shared/mail-link.ts';
import { requireRole } from '../_shared/require-admin.ts';
import { addContact, Invitation } from './invite.ts';

const Again = z.object({ contact_id: z.uuid() });
const Contact = z.object({ email: z.string(), revoked_at: z.string().nullable() });

/** @returns address of the contact, read with the caller's rights @throws Refusal 404 if the access has ended */
async function addressOf(caller: SupabaseClient, id: string): Promise<string> {
  const { data, error } = await caller
    .from('client_contacts')
    .select('email, revoked_at')
    .eq('id', id)
    .maybeSingle();
  if (error !== null) throw error;
  const contact = Contact.nullable().parse(data);
  if (contact === null || contact.revoked_at !== null) {
    throw new Refusal(404, 'no_contact', 'The access of this contact has ended.');
  }
  return contact.email;
}

async function invite(request: Request): Promise<Record<string, unknown>> {
  const token = await requireRole(
    request,
    ['admin', 'ops_manager'],
    'Only admins and operations managers invite contacts.',
  );
  const caller = callersClient(token);
  const body: unknown = await request.json().catch(() => {
    throw new Refusal(400, 'bad_json', 'The request body is not JSON.');
  });
  const origin = request.headers.get('origin');
  const again = Again.safeParse(body);
  if (again.success) {
    const email = await addressOf(caller, again.data.contact_id);
    const failure = await mailClientLink(email, origin);
    if (failure === undefined) return { contact_id: again.data.contact_id, mailed: true };
    throw failure === 'over_email_send_rate_limit'
      ? new Refusal(429, failure, 'Too many mails to this address. Please try again later.')
      : new Refusal(502, failure, 'The link could not be sent. Please try again.');
  }
  const parsed = Invitation.safeParse(body);
  if (!parsed.success) {
    throw new Refusal(400, 'validation_failed', parsed.error.issues[0]?.message ?? 'Invalid input');
  }
  const id = await addContact(caller, serviceClient(), parsed.data);
  return {
    contact_id: id,
    mailed: (await mailClientLink(parsed.data.email, origin)) === undefined,
  };
}

Deno.serve((request) => answerPost(request, () => invite(request)));
