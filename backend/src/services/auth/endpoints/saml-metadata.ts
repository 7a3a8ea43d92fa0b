// GET /sso/saml/metadata: our metadata, for the administrator of an identity provider.
import { queryOf } from '../input/json.ts';
import { ownMetadata, requireSaml } from '../saml/service-provider.ts';
import type { Endpoint } from '../service.ts';

export const samlMetadata: Endpoint = async (service, request, reply) => {
  requireSaml(service);
  if (queryOf(request, 'download') === 'true') {
    reply.header('content-disposition', 'attachment; filename="metadata.xml"');
  }
  return reply
    .type('application/xml')
    .header('cache-control', 'public, max-age=600')
    .send(ownMetadata(service));
};
