// A company's SAML 2.0 identity provider with configurable responses.
import * as samlify from 'samlify';
import { type Certified, certified } from './certificate.ts';

samlify.setSchemaValidator({ validate: async () => 'not checked' });

/** One key pair for all providers of a file, since generating one is slow. */
const own = certified('idp.test.example');

export interface IdentityProvider {
  entityId: string;
  /** For the service provider's administrator. */
  metadata: string;
  /**
   * @param address where the service provider sent the browser; undefined for an IdP-initiated sign-in
   * @param changes deviations from a valid response
   * @returns the form that the browser posts
   */
  answer(
    address: URL | undefined,
    changes?: Changes,
    signature?: 'assertion' | 'response' | 'none',
  ): Promise<Record<string, string>>;
}

export type Changes = Partial<Record<(typeof TAGS)[number], string>>;

const TAGS = [
  'NameID',
  'NameIDFormat',
  'Email',
  'Name',
  'Issuer',
  'Audience',
  'SubjectRecipient',
  'InResponseTo',
  'AssertionID',
  'ConditionsNotBefore',
  'ConditionsNotOnOrAfter',
  'SubjectConfirmationDataNotOnOrAfter',
] as const;

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const RESPONSE = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{SubjectConfirmationDataNotOnOrAfter}" Recipient="{SubjectRecipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{ConditionsNotBefore}" NotOnOrAfter="{ConditionsNotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="cn"><saml:AttributeValue>{Name}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`;

/** @param ownMetadata of the service provider */
export function identityProvider(
  entityId: string,
  ownMetadata: string,
  key: Certified = own,
): IdentityProvider {
  const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
  const idp = samlify.IdentityProvider({
    entityID: entityId,
    privateKey: key.privateKey,
    signingCert: key.certificate,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    isAssertionEncrypted: false,
    singleLogoutService: [{ Binding: redirect, Location: 'https://idp.test.example/sign-out' }],
    singleSignOnService: [{ Binding: redirect, Location: 'https://idp.test.example/sign-in' }],
    loginResponseTemplate: { context: RESPONSE, attributes: [] },
  });
  const unsigned = ownMetadata.replace(
    'WantAssertionsSigned="true"',
    'WantAssertionsSigned="false"',
  );
  const wantsAssertion = samlify.ServiceProvider({ metadata: ownMetadata });
  const wantsResponse = samlify.ServiceProvider({ metadata: unsigned });
  const acs = String(wantsAssertion.entityMeta.getAssertionConsumerService('post'));

  return {
    entityId,
    metadata: idp.getMetadata(),
    answer: async (address, changes = {}, signature = 'assertion') => {
      const query = Object.fromEntries(address?.searchParams ?? []);
      const request =
        address === undefined
          ? undefined
          : await idp.parseLoginRequest(wantsAssertion, 'redirect', { query });
      const id = request?.extract.request?.id;
      const requestId = typeof id === 'string' ? id : '';
      const now = new Date();
      const later = new Date(now.getTime() + 300_000).toISOString();
      const values = {
        ID: `_${crypto.randomUUID()}`,
        AssertionID: `_${crypto.randomUUID()}`,
        IssueInstant: now.toISOString(),
        Destination: acs,
        Issuer: entityId,
        Audience: wantsAssertion.entityMeta.getEntityID(),
        SubjectRecipient: acs,
        InResponseTo: requestId,
        NameIDFormat: PERSISTENT,
        NameID: 'somebody',
        Email: 'somebody@idp.test.example',
        Name: 'Ama Doe',
        ConditionsNotBefore: now.toISOString(),
        ConditionsNotOnOrAfter: later,
        SubjectConfirmationDataNotOnOrAfter: later,
        ...changes,
      };
      // Without a request there is no InResponseTo.
      const filled = samlify.SamlLib.replaceTagsByValue(RESPONSE, values).replaceAll(
        ' InResponseTo=""',
        '',
      );
      const sp = signature === 'response' ? wantsResponse : wantsAssertion;
      const signed = await idp.createLoginResponse(
        sp,
        { extract: { request: { id: requestId } } },
        'post',
        {},
        () => ({
          id: values.ID,
          context: filled,
        }),
      );
      return {
        SAMLResponse:
          signature === 'none' ? Buffer.from(filled).toString('base64') : signed.context,
        RelayState: query.RelayState ?? '',
      };
    },
  };
}
