// GET /user/identities/authorize: links a provider to the caller's account.
import { requireLinkingAllowed } from '../identities/link-to-account.ts';
import { queryOf } from '../input/json.ts';
import { redirectOf } from '../input/redirect.ts';
import { addressOf } from '../protection/address.ts';
import { beginSignIn } from '../providers/begin-sign-in.ts';
import { requireProvider } from '../providers/provider.ts';
import type { Endpoint } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { challengeOf } from '../tokens/pkce.ts';

export const linkIdentity: Endpoint = async (service, request, reply) => {
  const caller = await authenticate(service, request);
  requireLinkingAllowed(service, caller);
  const provider = requireProvider(service, queryOf(request, 'provider'));
  const challenge = challengeOf(
    queryOf(request, 'code_challenge'),
    queryOf(request, 'code_challenge_method'),
  );
  await service.limits.signIn(addressOf(request));
  const redirectTo = redirectOf(service.context, request);
  const linkTo = caller.account.id;
  const url = await beginSignIn(service, request, { provider, redirectTo, challenge, linkTo });
  if (queryOf(request, 'skip_http_redirect') === 'true') return { url: url.href };
  return reply.redirect(url.href, 302);
};
