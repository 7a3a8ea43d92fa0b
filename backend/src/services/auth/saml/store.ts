// Identity providers in GoTrue's three tables.
import { z } from 'zod';
import { type Db, isTaken, raw, type Sql, sql } from '../database.ts';
import { authError, errors } from '../errors.ts';

/** Maps the provider's attributes to our fields. */
export const AttributeMapping = z.object({
  keys: z
    .record(
      z.string(),
      z.object({
        name: z.string().optional(),
        names: z.array(z.string()).optional(),
        default: z.unknown().optional(),
        array: z.boolean().optional(),
      }),
    )
    .default({}),
});
export type AttributeMapping = z.output<typeof AttributeMapping>;

export interface SsoProvider {
  id: string;
  resource_id: string | null;
  disabled: boolean;
  entity_id: string;
  metadata_xml: string;
  metadata_url: string | null;
  attribute_mapping: AttributeMapping | null;
  name_id_format: string | null;
  /** Lower case. */
  domains: string[];
  created_at: Date;
  updated_at: Date;
}

const SELECT = raw(`
  select p.id, p.resource_id, p.disabled, s.entity_id, s.metadata_xml, s.metadata_url, s.attribute_mapping,
    s.name_id_format, p.created_at, greatest(p.updated_at, s.updated_at) as updated_at,
    coalesce((select json_agg(d.domain order by d.domain) from auth.sso_domains d
      where d.sso_provider_id = p.id), '[]') as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`);

export async function allProviders(db: Db): Promise<SsoProvider[]> {
  const { rows } = await db.query<SsoProvider>(sql`${SELECT} order by p.created_at, p.id`);
  return rows;
}

async function findProvider(db: Db, condition: Sql): Promise<SsoProvider | undefined> {
  const { rows } = await db.query<SsoProvider>(sql`${SELECT} where ${condition}`);
  return rows[0];
}

export const providerById = (db: Db, id: string) => findProvider(db, sql`p.id = ${id}`);
export const providerByEntity = (db: Db, entityId: string) =>
  findProvider(db, sql`s.entity_id = ${entityId}`);
export const providerByDomain = (db: Db, domain: string) =>
  findProvider(
    db,
    sql`exists (select from auth.sso_domains d
    where d.sso_provider_id = p.id and lower(d.domain) = lower(${domain}))`,
  );

/**
 * Inserts or updates the provider, with exactly these domains.
 * @throws AuthError 422 if another provider has its entity id or one of its domains
 */
export async function saveProvider(
  db: Db,
  provider: Omit<SsoProvider, 'created_at' | 'updated_at'>,
): Promise<void> {
  try {
    await db.query(sql`
      insert into auth.sso_providers (id, resource_id, disabled)
      values (${provider.id}, ${provider.resource_id}, ${provider.disabled})
      on conflict (id) do update set resource_id = ${provider.resource_id}, disabled = ${provider.disabled},
        updated_at = now()`);
    await db.query(sql`
      insert into auth.saml_providers (sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping,
        name_id_format)
      values (${provider.id}, ${provider.entity_id}, ${provider.metadata_xml}, ${provider.metadata_url},
        ${provider.attribute_mapping && JSON.stringify(provider.attribute_mapping)}, ${provider.name_id_format})
      on conflict (sso_provider_id) do update set metadata_xml = excluded.metadata_xml,
        metadata_url = excluded.metadata_url, attribute_mapping = excluded.attribute_mapping,
        name_id_format = excluded.name_id_format, updated_at = now()`);
    await db.query(sql`
      with gone as (
        delete from auth.sso_domains where sso_provider_id = ${provider.id}
          and domain <> all (${provider.domains}::text[])
      )
      insert into auth.sso_domains (sso_provider_id, domain)
      select ${provider.id}, wanted.domain from unnest(${provider.domains}::text[]) as wanted (domain)
      where not exists (
        select from auth.sso_domains d where d.sso_provider_id = ${provider.id} and d.domain = wanted.domain)`);
  } catch (error) {
    if (isTaken(error, 'saml_providers_entity_id_key')) {
      throw errors.samlProviderExists(provider.entity_id);
    }
    if (isTaken(error, 'sso_domains_domain_idx')) throw authError('ssoDomainExists');
    if (isTaken(error, 'sso_providers_resource_id_idx')) {
      throw errors.invalid('resource_id is already in use');
    }
    throw error;
  }
}

/** Signs out the users of a removed or disabled provider. */
export const endSessionsOf = (db: Db, providerId: string) =>
  db.query(sql`
    delete from auth.sessions where user_id in (
      select user_id from auth.identities where provider = 'sso:' || ${providerId}::text)`);

export function providerObject(provider: SsoProvider): Record<string, unknown> {
  const { metadata_url, attribute_mapping, name_id_format, resource_id } = provider;
  return {
    id: provider.id,
    ...(resource_id === null ? {} : { resource_id }),
    disabled: provider.disabled,
    saml: {
      entity_id: provider.entity_id,
      metadata_xml: provider.metadata_xml,
      ...(metadata_url === null ? {} : { metadata_url }),
      ...(attribute_mapping === null ? {} : { attribute_mapping }),
      ...(name_id_format === null ? {} : { name_id_format }),
    },
    domains: provider.domains.map((domain) => ({ domain })),
    created_at: provider.created_at.toISOString(),
    updated_at: provider.updated_at.toISOString(),
  };
}
