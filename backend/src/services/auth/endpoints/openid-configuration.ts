// GET /.well-known/openid-configuration: issuer and keys for programs that verify our tokens. We are not an OpenID provider.
import type { Endpoint } from '../service.ts';
import { issuerOf } from '../tokens/access-token.ts';

export const openidConfiguration: Endpoint = async ({ context }, _request, reply) => {
  const issuer = issuerOf(context);
  reply.header('cache-control', 'public, max-age=600');
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [
      ...new Set(context.keys.jwks.keys.map((key) => key.alg)),
    ],
  };
};
