// POST { email } → {}: a contact of a client asks for a sign-in link. The response is the same for every address.
import { z } from 'zod';
import { answerPost, Refusal } from '../_shared/answer.ts';
import { serviceClient } from '../_shared/clients.ts';
import { mailClientLink } from '../_shared/mail-link.ts';

const Body = z.object({ email: z.string().trim().toLowerCase().max(255).pipe(z.email()) });

async function sendLink(request: Request): Promise<Record<string, unknown>> {
  const parsed = Body.safeParse(await request.json().catch(() => undefined));
  if (!parsed.success) throw new Refusal(400, 'validation_failed', 'Invalid email address');
  const { email } = parsed.data;
  const { data, error } = await serviceClient().rpc('take_client_link', {
    p_email: email,
    p_network: request.headers.get('x-forwarded-for')?.split(',')[0] ?? '',
  });
  if (error !== null) throw error;
  const answer = z.enum(['yes', 'no', 'blocked']).parse(data);
  if (answer === 'blocked') {
    throw new Refusal(429, 'too_many_links', 'Too many requests. Try again in 15 minutes.');
  }
  if (answer === 'yes') {
    // Not awaited: the time of the response must not tell whether the address is known.
    void mailClientLink(email, request.headers.get('origin')).then((code) => {
      if (code !== undefined) console.error(`a link for a contact was not sent: ${code}`);
    }, console.error);
  }
  return {};
}

Deno.serve((request) => answerPost(request, () => sendLink(request)));
