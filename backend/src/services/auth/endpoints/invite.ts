// POST /invite: creates an account that its owner confirms by mail. Needs the service key.
import { z } from 'zod';
import { refusals } from '../errors/catalogue.ts';
import { metadata, readBody, text } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { Endpoint } from '../service.ts';
import { requireAdmin } from '../sessions/authenticate.ts';
import { accountById } from '../users/account.ts';
import { validEmail } from '../users/email.ts';
import { unconfirmedAccount } from '../users/unconfirmed-account.ts';
import { userObject } from '../users/user-object.ts';

const Body = z.object({ email: text, data: metadata });

export const invite: Endpoint = async (service, request) => {
  await requireAdmin(service, request);
  const body = readBody(request, Body);
  const email = validEmail(body.email);
  const userMetadata = body.data ?? {};
  const id = await unconfirmedAccount(service, { email, userMetadata, isByAdmin: true });
  await requestMail(
    service,
    request,
    'invite',
    { id, email },
    redirectOf(service.context, request),
  );
  const account = await accountById(service.pool, id);
  if (account === undefined) throw refusals.noSuchUser();
  return userObject(account);
};
