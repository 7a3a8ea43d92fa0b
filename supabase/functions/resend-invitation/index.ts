// POST { user_id } → { email }: an admin mails the invitation again to a person who has not chosen a password yet.
import { z } from 'zod';
import { answerPost, Refusal } from '../_shared/answer.ts';
import { serviceClient } from '../_shared/clients.ts';
import { requireAdmin } from '../_shared/require-admin.ts';

const Body = z.object({ user_id: z.uuid() });

async function resend(request: Request): Promise<Record<string, unknown>> {
  const parsed = Body.safeParse(await request.json().catch(() => undefined));
  if (!parsed.success) throw new Refusal(400, 'validation_failed', 'Choose a person.');
  const { user_id: id } = parsed.data;
  const service = serviceClient();
  const { data, error } = await service.rpc('reopen_invitation', { p_user_id: id });
  if (error !== null) throw error;
  const email = z.string().nullable().parse(data);
  if (email === null) {
    throw new Refusal(
      409,
      'not_invited',
      'There is no open invitation: the person has no email address or has already signed in.',
    );
  }
  const { admin } = service.auth;
  const origin = request.headers.get('origin');
  const redirect = origin === null ? {} : { redirectTo: `${origin}/auth` };
  const mailed = await admin.inviteUserByEmail(email, redirect);
  // Also after a failure: otherwise the address would no longer sign in.
  const opened = await admin.updateUserById(id, { email_confirm: true });
  if (opened.error !== null) throw opened.error;
  if (mailed.error?.code === 'over_email_send_rate_limit') {
    const message = 'Too many mails to this address. Please try again later.';
    throw new Refusal(429, mailed.error.code, message);
  }
  if (mailed.error !== null) {
    const message = 'The invitation could not be sent. Please try again.';
    throw new Refusal(502, 'not_sent', message);
  }
  return { email };
}

Deno.serve((request) =>
  answerPost(request, async () => {
    await requireAdmin(request);
    return resend(request);
  }),
);
