import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { isSafeAddress } from '../../../config.ts';
import { sql } from '../database.ts';
import { errors } from '../errors.ts';
import type { Service } from '../service.ts';
import type { SsoProvider } from './store.ts';

// Metadata of an identity provider: entity id, sign-in address and signing certificates.
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const SAML2 = 'urn:oasis:names:tc:SAML:2.0:protocol';
const TIMEOUT_MS = 10_000;
const MAX_LENGTH = 1024 * 1024;

export interface IdentityProvider {
  entityId: string;
  /** Sign-in address (HTTP-Redirect binding). */
  signInUrl: string;
  /** PEM. */
  certificates: [string, ...string[]];
}

const characters = z.object({ _: z.string() });
const Metadata = z.object({
  EntityDescriptor: z.object({
    $: z.object({ entityID: z.string().min(1).max(1024) }),
    IDPSSODescriptor: z
      .array(
        z.object({
          $: z.object({ protocolSupportEnumeration: z.string() }),
          KeyDescriptor: z.array(
            z.object({
              $: z.object({ use: z.string().optional() }).optional(),
              KeyInfo: z.array(
                z.object({
                  X509Data: z.array(z.object({ X509Certificate: z.array(characters) })).default([]),
                }),
              ),
            }),
          ),
          SingleSignOnService: z.array(
            z.object({ $: z.object({ Binding: z.string(), Location: z.string() }) }),
          ),
        }),
      )
      .min(1),
  }),
});

/** A document type may define entities (XXE, entity expansion); SAML metadata needs none. */
export function hasDocumentType(xml: string): boolean {
  return /<!(DOCTYPE|ENTITY)/i.test(xml);
}

/** Loads the parser when there is something to parse. @throws unless it is XML */
export async function parseXml(xml: string): Promise<unknown> {
  const { parseXml2JsFromString } = await import('@node-saml/node-saml/lib/xml.js');
  return parseXml2JsFromString(xml);
}

/** @throws AuthError 400 unless it is the metadata of one SAML 2.0 identity provider */
export async function readMetadata(xml: string): Promise<IdentityProvider> {
  if (hasDocumentType(xml)) throw errors.badMetadata('it has a document type');
  const parsed = Metadata.safeParse(
    await parseXml(xml).catch(() => {
      throw errors.badMetadata('it is not XML');
    }),
  );
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw errors.badMetadata(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { $: entity, IDPSSODescriptor: descriptors } = parsed.data.EntityDescriptor;
  const descriptor = descriptors.find(({ $ }) => $.protocolSupportEnumeration.includes(SAML2));
  const service = descriptor?.SingleSignOnService.find(({ $ }) => $.Binding === REDIRECT);
  if (descriptor === undefined || service === undefined) {
    throw errors.badMetadata('it has no SAML 2.0 sign-in by HTTP-Redirect');
  }
  const signInUrl = service.$.Location;
  if (!isSafeAddress(signInUrl)) throw errors.badMetadata('its sign-in address is not https');
  const [first, ...others] = descriptor.KeyDescriptor.filter(
    ({ $ }) => ($?.use ?? 'signing') === 'signing',
  )
    .flatMap(({ KeyInfo }) => KeyInfo.flatMap(({ X509Data }) => X509Data))
    .flatMap(({ X509Certificate: certificates }) => certificates.map(({ _ }) => toPem(_)));
  if (first === undefined) throw errors.badMetadata('it has no certificate for signing');
  return { entityId: entity.entityID, signInUrl, certificates: [first, ...others] };
}

function toPem(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString();
  } catch {
    throw errors.badMetadata('a certificate can not be read');
  }
}

/** @throws AuthError 400 if the address is not https, or has no document */
export async function fetchMetadata(address: string): Promise<string> {
  if (!isSafeAddress(address)) throw errors.invalid('metadata_url is not a HTTPS URL');
  let xml: string;
  try {
    const response = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw errors.metadataNotFetched(address, `HTTP ${response.status}`);
    xml = await response.text();
  } catch (error) {
    throw errors.metadataNotFetched(address, 'no answer', error);
  }
  if (xml.length > MAX_LENGTH) throw errors.metadataNotFetched(address, 'larger than 1 MB');
  return xml;
}

// Identity providers rotate certificates: metadata from a URL is refetched once a day.
const DAY_MS = 24 * 3_600_000;

/** Replaces metadata that is older than a day; one process does it at a time. @throws AuthError if it can't be fetched */
export async function refreshMetadata(service: Service, provider: SsoProvider): Promise<void> {
  const { metadata_url: address, updated_at: fetchedAt } = provider;
  if (address === null || service.context.now().getTime() - fetchedAt.getTime() < DAY_MS) return;
  const claimed = await service.pool.query(sql`
    update auth.saml_providers set updated_at = now()
    where sso_provider_id = ${provider.id} and updated_at < now() - interval '1 day'`);
  if (claimed.rowCount !== 1) return;
  const xml = await fetchMetadata(address);
  const { entityId } = await readMetadata(xml);
  if (entityId !== provider.entity_id) return;
  await service.pool.query(sql`
    update auth.saml_providers set metadata_xml = ${xml}, updated_at = now() where sso_provider_id = ${provider.id}`);
}
