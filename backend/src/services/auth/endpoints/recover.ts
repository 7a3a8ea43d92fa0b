// POST /recover: mails a link for a new password. Unknown addresses get the same response in the same time.
import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { readBody, text } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint } from '../service.ts';
import { challengeFields, challengeOf } from '../tokens/pkce.ts';
import { accountByEmail } from '../users/account.ts';
import { validEmail } from '../users/email.ts';

const Body = z.object({ email: text, ...challengeFields });

export const recover: Endpoint = async (service, request) => {
  const body = readBody(request, Body);
  if (body.email === '') throw refusals.invalid('Password recovery requires an email');
  const email = validEmail(body.email);
  const challenge = challengeOf(body.code_challenge, body.code_challenge_method);
  await service.limits.mail('recovery', email);
  const redirectTo = redirectOf(service.context, request);
  service.later(request, async () => {
    const account = await accountByEmail(service.pool, email);
    if (account === undefined) return;
    await requestMail(service, request, 'recovery', account, redirectTo, challenge);
  });
  return {};
};
