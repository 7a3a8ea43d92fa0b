import { z } from 'zod';
import { type Db, sql, transaction } from '../../database.ts';
import { authError, errors } from '../../errors.ts';
import { readBody, readUuid } from '../../input/parse.ts';
import { audit } from '../../protection/audit.ts';
import { fetchMetadata, readMetadata } from '../../saml/metadata.ts';
import { requireSaml } from '../../saml/service-provider.ts';
import {
  AttributeMapping,
  allProviders,
  endSessionsOf,
  providerById,
  providerObject,
  type SsoProvider,
  saveProvider,
} from '../../saml/store.ts';
import type { Call, Endpoint } from '../../service.ts';

const Domain = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/);
const Fields = z.object({
  type: z.string().nullish(),
  resource_id: z.string().min(1).nullish(),
  disabled: z.boolean().nullish(),
  metadata_xml: z.string().nullish(),
  metadata_url: z.string().nullish(),
  domains: z.array(z.string().trim().toLowerCase().pipe(Domain)).nullish(),
  attribute_mapping: AttributeMapping.nullish(),
  name_id_format: z.string().nullish(),
});
type Fields = z.output<typeof Fields>;

export const listSsoProviders: Endpoint = async (call) => {
  requireSaml(call);
  return { items: (await allProviders(call.pool)).map(providerObject) };
};

export const createSsoProvider: Endpoint = async (call) => {
  requireSaml(call);
  const fields = readBody(call, Fields);
  if (fields.type !== 'saml') throw errors.invalid("Only 'saml' supported for SSO provider type");
  const metadata = await metadataOf(fields);
  if (metadata === undefined) {
    throw errors.invalid('Either metadata_xml or metadata_url must be set');
  }
  const id = crypto.randomUUID();
  const made = await transaction(call.pool, async (db) => {
    await saveProvider(db, {
      id,
      ...metadata,
      resource_id: fields.resource_id ?? null,
      disabled: fields.disabled ?? false,
      attribute_mapping: fields.attribute_mapping ?? null,
      name_id_format: fields.name_id_format ?? null,
      domains: [...new Set(fields.domains ?? [])],
    });
    await audit(db, call, 'sso_provider_created', {}, { provider: id });
    return existing(db, id);
  });
  return call.reply.code(201).send(providerObject(made));
};

export const getSsoProvider: Endpoint = async (call) => {
  requireSaml(call);
  return providerObject(await providerOfPath(call));
};

export const updateSsoProvider: Endpoint = async (call) => {
  requireSaml(call);
  const provider = await providerOfPath(call);
  const fields = readBody(call, Fields);
  const metadata = await metadataOf(fields);
  if (metadata !== undefined && metadata.entity_id !== provider.entity_id) {
    throw errors.entityIdMismatch(provider.entity_id, metadata.entity_id);
  }
  const changed = await transaction(call.pool, async (db) => {
    const disabled = fields.disabled ?? provider.disabled;
    await saveProvider(db, {
      ...provider,
      ...metadata,
      disabled,
      resource_id: fields.resource_id ?? provider.resource_id,
      attribute_mapping: fields.attribute_mapping ?? provider.attribute_mapping,
      name_id_format: fields.name_id_format ?? provider.name_id_format,
      domains: [...new Set(fields.domains ?? provider.domains)],
    });
    if (disabled) await endSessionsOf(db, provider.id);
    const traits = { provider: provider.id, fields: Object.keys(fields) };
    await audit(db, call, 'sso_provider_updated', {}, traits);
    return existing(db, provider.id);
  });
  return providerObject(changed);
};

export const deleteSsoProvider: Endpoint = async (call) => {
  requireSaml(call);
  const provider = await providerOfPath(call);
  await transaction(call.pool, async (db) => {
    await endSessionsOf(db, provider.id);
    await db.query(sql`delete from auth.sso_providers where id = ${provider.id}`);
    await audit(db, call, 'sso_provider_deleted', {}, { provider: provider.id });
  });
  return providerObject(provider);
};

async function existing(db: Db, id: string): Promise<SsoProvider> {
  const provider = await providerById(db, id);
  if (provider === undefined) throw authError('ssoProviderGone');
  return provider;
}

const providerOfPath = (call: Call): Promise<SsoProvider> =>
  existing(call.pool, readUuid(call, 'id', 'ssoProviderGone'));

/** @returns the metadata in the body, or at the URL in the body */
async function metadataOf(fields: Fields) {
  const { metadata_xml: given, metadata_url: address } = fields;
  if (given && address) {
    throw errors.invalid('Only one of metadata_xml or metadata_url needs to be set');
  }
  const xml = given || (address ? await fetchMetadata(address) : undefined);
  if (xml === undefined) return undefined;
  const { entityId } = await readMetadata(xml);
  return { metadata_xml: xml, metadata_url: address || null, entity_id: entityId };
}
