// Identity providers rotate certificates: metadata from a URL is refetched once a day.
import type { Service } from '../service.ts';
import { fetchMetadata, readMetadata } from './metadata.ts';
import type { SsoProvider } from './store.ts';

const DAY_MS = 24 * 3_600_000;

/** Replaces metadata that is older than a day; one process does it at a time. @throws AuthError if it can't be fetched */
export async function refreshMetadata(service: Service, provider: SsoProvider): Promise<void> {
  const { metadata_url: address, updated_at: fetchedAt } = provider;
  if (address === null || service.context.now().getTime() - fetchedAt.getTime() < DAY_MS) return;
  const claimed = await service.pool.query(
    `update auth.saml_providers set updated_at = now()
     where sso_provider_id = $1 and updated_at < now() - interval '1 day'`,
    [provider.id],
  );
  if (claimed.rowCount !== 1) return;
  const xml = await fetchMetadata(address);
  const { entityId } = await readMetadata(xml);
  if (entityId !== provider.entity_id) return;
  await service.pool.query(
    'update auth.saml_providers set metadata_xml = $2, updated_at = now() where sso_provider_id = $1',
    [provider.id, xml],
  );
}
