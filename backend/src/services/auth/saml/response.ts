import type { Profile, SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import { authError, errors } from '../errors.ts';
import { withinLimit } from '../input/fields.ts';
import { cleanEmail, type ProviderUser } from '../providers/provider.ts';
import type { Service } from '../service.ts';
import { hasDocumentType, parseXml } from './metadata.ts';
import { CLOCK_SKEW_MS, consumerOf } from './service-provider.ts';
import type { SsoProvider } from './store.ts';

// Verifies a SAML response. The library checks signature, times and audience and returns only signed parts; this file checks
// the rest of the web browser profile: issuer, recipient and InResponseTo (SAML Profiles 4.1.4.2 and 4.1.4.3).
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text));
const Confirmation = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z.tuple([
    z.object({
      $: z.object({
        Recipient: z.string(),
        NotOnOrAfter: time,
        NotBefore: time.optional(),
        InResponseTo: z.string().optional(),
      }),
    }),
  ]),
});
/** xml2js's form: children in arrays, attributes under `$`, text under `_`. */
const Assertion = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1), Version: z.literal('2.0') }),
    Issuer: z.tuple([z.object({ _: z.string() })]),
    Subject: z.tuple([z.object({ SubjectConfirmation: z.array(z.unknown()).min(1) })]),
    Conditions: z.tuple([z.object({ AudienceRestriction: z.array(z.unknown()).min(1) })]),
  }),
});

export interface Answer {
  assertionId: string;
  /** When it expires. */
  expiresAt: Date;
  /** Stable between sign-ins. */
  nameId: string;
  nameIdFormat: string;
  attributes: Record<string, unknown>;
}

export interface Expected {
  entityId: string;
  /** Undefined for an IdP-initiated sign-in. */
  requestId: string | undefined;
}

/**
 * @param response base64, as posted by the browser
 * @throws AuthError without the reason, which is only logged
 */
export async function verifyResponse(
  service: Service,
  saml: SAML,
  response: string,
  expected: Expected,
): Promise<Answer> {
  if (hasDocumentType(Buffer.from(response, 'base64').toString('utf8'))) {
    throw errors.badAssertion(new Error('The response has a document type.'));
  }
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    if (profile === null) throw new Error('The response holds no assertion.');
    return checked(profile, expected, consumerOf(service), service.context.now());
  } catch (error) {
    throw errors.badAssertion(error);
  }
}

function checked(profile: Profile, expected: Expected, consumer: string, now: Date): Answer {
  const { Assertion: assertion } = Assertion.parse(profile.getAssertion?.());
  const [issuer] = assertion.Issuer;
  if (issuer._ !== expected.entityId) throw new Error(`The issuer is ${issuer._}.`);
  const confirmed = assertion.Subject[0].SubjectConfirmation.flatMap((given) => {
    const parsed = Confirmation.safeParse(given);
    return parsed.success && parsed.data.$.Method === BEARER
      ? [parsed.data.SubjectConfirmationData[0].$]
      : [];
  }).find(
    (data) =>
      data.Recipient === consumer &&
      data.InResponseTo === expected.requestId &&
      data.NotOnOrAfter.getTime() + CLOCK_SKEW_MS > now.getTime() &&
      (data.NotBefore?.getTime() ?? 0) - CLOCK_SKEW_MS <= now.getTime(),
  );
  if (confirmed === undefined) throw new Error('No subject confirmation is for us, now.');
  if (!profile.nameID) throw new Error('There is no NameID.');
  if (profile.nameIDFormat === TRANSIENT) throw new Error('The NameID is another every time.');
  const attributes = z.record(z.string(), z.unknown()).catch({}).parse(profile.attributes);
  return {
    assertionId: assertion.$.ID,
    expiresAt: new Date(confirmed.NotOnOrAfter.getTime() + CLOCK_SKEW_MS),
    nameId: profile.nameID,
    nameIdFormat: profile.nameIDFormat ?? '',
    attributes,
  };
}

// The issuer of an unverified response, only for finding the provider whose certificates verify it.
const Response = z.object({
  Response: z.object({ Issuer: z.tuple([z.object({ _: z.string() })]) }),
});

/** @param response base64 */
export async function claimedIssuer(response: string): Promise<string | undefined> {
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (hasDocumentType(xml)) return undefined;
  const parsed = await parseXml(xml).catch(() => undefined);
  const result = Response.safeParse(parsed);
  return result.success ? result.data.Response.Issuer[0]._ : undefined;
}

// The user of an assertion, from the attributes of the provider's mapping or the usual ones.
const USUAL_EMAIL = [
  'email',
  'Email',
  'emailAddress',
  'mail',
  'Mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const USUAL_NAME = [
  'full_name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

const firstText = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
};

function firstOf(attributes: Record<string, unknown>, names: string[]): string | undefined {
  for (const name of names) {
    const text = Object.hasOwn(attributes, name) ? firstText(attributes[name]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function mapped(answer: Answer, { attribute_mapping: mapping }: SsoProvider) {
  const claims: Record<string, unknown> = {};
  for (const [key, rule] of Object.entries(mapping?.keys ?? {})) {
    const names = [...(rule.name === undefined ? [] : [rule.name]), ...(rule.names ?? [])];
    const name = names.find((one) => Object.hasOwn(answer.attributes, one));
    const value = name === undefined ? rule.default : answer.attributes[name];
    if (value === undefined) continue;
    claims[key] = rule.array === true ? [value].flat() : Array.isArray(value) ? value[0] : value;
  }
  return claims;
}

/** @throws AuthError without an e-mail address */
export function personOfAnswer(provider: SsoProvider, answer: Answer): ProviderUser {
  const claims = mapped(answer, provider);
  const email = cleanEmail(
    firstText(claims.email) ??
      firstOf(answer.attributes, USUAL_EMAIL) ??
      (answer.nameIdFormat === EMAIL_FORMAT ? answer.nameId : undefined),
  );
  if (email === undefined) throw authError('assertionWithoutEmail');
  const name =
    firstText(claims.full_name) ?? firstText(claims.name) ?? firstOf(answer.attributes, USUAL_NAME);
  return {
    provider: `sso:${provider.id}`,
    subject: answer.nameId,
    email,
    // The organisation vouches for its own users. Their accounts are never joined with others by address.
    emailVerified: true,
    isSso: true,
    metadata: withinLimit({
      iss: provider.entity_id,
      sub: answer.nameId,
      provider_id: answer.nameId,
      email,
      email_verified: true,
      phone_verified: false,
      ...(name === undefined ? {} : { name, full_name: name }),
      custom_claims: withinLimit(claims),
    }),
  };
}
