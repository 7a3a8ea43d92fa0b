// The user of an assertion, from the attributes of the provider's mapping or the usual ones.
import { refusals } from '../errors/catalogue.ts';
import { emailOf, type OutsidePerson } from '../providers/person.ts';
import { withinLimit } from '../users/metadata-size.ts';
import type { SsoProvider } from './store.ts';
import type { Answer } from './verify-response.ts';

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
export function personOfAnswer(provider: SsoProvider, answer: Answer): OutsidePerson {
  const claims = mapped(answer, provider);
  const email = emailOf(
    firstText(claims.email) ??
      firstOf(answer.attributes, USUAL_EMAIL) ??
      (answer.nameIdFormat === EMAIL_FORMAT ? answer.nameId : undefined),
  );
  if (email === undefined) throw refusals.assertionWithoutEmail();
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
