// Verifies WebAuthn responses. The caller never learns the reason of a failure.

import { isIP } from 'node:net';
import type {
  GenerateAuthenticationOptionsOpts,
  GenerateRegistrationOptionsOpts,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { readSiteUrl } from '../input/redirect.ts';
import type { Account } from '../users/account.ts';

/** Loaded when it is needed: it takes 12 MB, and a tenth of the time that the server needs to start. */
const loadLibrary = () => import('@simplewebauthn/server');

export type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

export interface Expected {
  challenge: string;
  party: RelyingParty;
  /** Whether user verification (fingerprint, face or PIN) is required. */
  userVerification: boolean;
}

const expectations = ({ challenge, party, userVerification }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origins,
  expectedRPID: party.id,
  requireUserVerification: userVerification,
});

/** @returns the new credential, undefined if the response is invalid */
export async function checkNew(
  { response, ...credential }: NewCredential,
  expected: Expected,
): Promise<Registration | undefined> {
  const library = await loadLibrary();
  try {
    const { registrationInfo } = await library.verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      ...expectations(expected),
    });
    return registrationInfo;
  } catch {
    // The library throws for every invalid response.
    return undefined;
  }
}

/** @returns the credential's new counter, undefined if the response is invalid */
export async function checkKnown(
  { response, ...credential }: KnownCredential,
  stored: StoredCredential,
  expected: Expected,
): Promise<number | undefined> {
  const { userHandle, ...rest } = response;
  const library = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: { ...credential, response: rest, clientExtensionResults: {} },
      ...expectations(expected),
      credential: {
        id: stored.id,
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: stored.sign_count,
        transports: stored.transports,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

// Credentials in WebAuthn's JSON form.
const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+={0,2}$/)
  .max(200_000);

const always = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
};

export const NewCredential = z.object({
  ...always,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(16).default([]),
  }),
});
export type NewCredential = z.output<typeof NewCredential>;

export const KnownCredential = z.object({
  ...always,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().nullish(),
  }),
});
export type KnownCredential = z.output<typeof KnownCredential>;

export const StoredCredential = z.object({
  /** base64url. */
  id: z.string(),
  /** COSE key, base64url. */
  public_key: z.string(),
  sign_count: z.number(),
  transports: z.array(z.string()).default([]),
});
export type StoredCredential = z.output<typeof StoredCredential>;

/** ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-7, -257];

/** Options with which the browser creates a credential, for passkeys and for second factors. */
export const registrationOptions = async (
  party: RelyingParty,
  account: Account,
  options: Pick<GenerateRegistrationOptionsOpts, 'authenticatorSelection' | 'excludeCredentials'>,
) =>
  (await loadLibrary()).generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(account.id),
    userName: account.email || account.phone,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    ...options,
  });

/** Options with which the browser uses a credential. */
export const authenticationOptions = async (options: GenerateAuthenticationOptionsOpts) =>
  (await loadLibrary()).generateAuthenticationOptions(options);

// The WebAuthn relying party: `[auth.webauthn]` of config.toml, else the site.
export interface RelyingParty {
  /** Domain that credentials are bound to. */
  id: string;
  name: string;
  /** Origins of pages that may use them. */
  origins: string[];
}

export function relyingParty(context: Context): RelyingParty {
  const { rp_id: id, rp_display_name: name, rp_origins: origins } = context.settings.auth.webauthn;
  const site = new URL(readSiteUrl(context));
  const host = site.hostname.replace(/[[\]]/g, '');
  // WebAuthn needs a domain: an IP address becomes localhost.
  const isLoopback = isIP(host) > 0;
  const named = new URL(site);
  if (isLoopback) named.hostname = 'localhost';
  return {
    id: id || named.hostname,
    name: name || context.application.organisation.shortName,
    origins: origins.length > 0 ? origins : [...new Set([site.origin, named.origin])],
  };
}
