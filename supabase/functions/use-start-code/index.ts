// POST { login, code } → { access_token, refresh_token }: signs in with a start code. The session opens nothing until the
// user has chosen a password.
import { z } from 'zod';
import { answerPost, Refusal } from '../_shared/answer.ts';
import { anonymousClient, serviceClient } from '../_shared/clients.ts';

const StartCode = z.object({
  /** Email address or phone number. */
  login: z.string().trim().min(1).max(255),
  code: z.string().min(1).max(40),
});

const Taken = z.tuple([
  z.object({
    outcome: z.enum(['accepted', 'wrong', 'blocked']),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  }),
]);

async function useStartCode(request: Request): Promise<Record<string, unknown>> {
  const parsed = StartCode.safeParse(await request.json().catch(() => undefined));
  if (!parsed.success) {
    throw new Refusal(400, 'validation_failed', 'Enter your phone number or email and the code.');
  }
  // Nobody knows it, and the user's own replaces it.
  const password = crypto.randomUUID();
  const { data, error } = await serviceClient().rpc('take_start_code', {
    p_login: parsed.data.login,
    p_code: parsed.data.code,
    p_password: password,
    p_network: request.headers.get('x-forwarded-for')?.split(',')[0] ?? '',
  });
  if (error !== null) throw error;
  const [{ outcome, email, phone }] = Taken.parse(data);
  if (outcome === 'blocked') {
    throw new Refusal(429, 'too_many_codes', 'Too many wrong codes. Try again in 15 minutes.');
  }
  if (outcome === 'wrong') {
    throw new Refusal(
      403,
      'wrong_code',
      'This code is wrong, used or expired. Check it, or ask your office for a new one.',
    );
  }
  const userAgent = request.headers.get('user-agent');
  const { auth } = anonymousClient(userAgent === null ? {} : { 'user-agent': userAgent });
  const signedIn = await auth.signInWithPassword(
    phone ? { phone, password } : { email: email ?? '', password },
  );
  if (signedIn.error !== null) {
    throw new Refusal(
      502,
      'not_signed_in',
      'The code was accepted, but signing in failed. Ask your office for a new code.',
    );
  }
  const { access_token, refresh_token } = signedIn.data.session;
  return { access_token, refresh_token };
}

Deno.serve((request) => answerPost(request, () => useStartCode(request)));
