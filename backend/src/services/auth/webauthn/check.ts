// Verifies WebAuthn responses. The caller never learns the reason of a failure.
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { KnownCredential, NewCredential, StoredCredential } from './credential.ts';
import type { RelyingParty } from './relying-party.ts';

export type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

export interface Expected {
  challenge: string;
  party: RelyingParty;
  /** Whether user verification (fingerprint, face or PIN) is required. */
  userVerification: boolean;
}

/** @returns the new credential, undefined if the response is invalid */
export async function checkNew(
  { response, ...credential }: NewCredential,
  { challenge, party, userVerification }: Expected,
): Promise<Registration | undefined> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: userVerification,
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
  { challenge, party, userVerification }: Expected,
): Promise<number | undefined> {
  const { userHandle, ...rest } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: rest, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: userVerification,
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
