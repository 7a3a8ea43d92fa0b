// WebAuthn calls for second factors. Not auth-js's own, whose defaults admit only security keys: no fingerprint, face or
// phone.
import { z } from 'zod';
import { supabase } from '../supabase/client.ts';

type Verification = Parameters<ReturnType<typeof supabase>['auth']['mfa']['webauthn']['verify']>[0];
type Answer = Verification['webauthn']['credential_response'];

const answerSchema = z.custom<Answer>((answer) => answer instanceof PublicKeyCredential);

// The option types of auth-js list a transport that the DOM types lack.
const isObject = (options: unknown) => typeof options === 'object' && options !== null;
const creationSchema = z.custom<PublicKeyCredentialCreationOptions>(isObject);
const requestSchema = z.custom<PublicKeyCredentialRequestOptions>(isObject);

function create(options: unknown) {
  const publicKey = creationSchema.parse(options);
  const { user } = publicKey;
  // Some authenticators refuse an empty display name.
  const displayName = user.displayName || user.name;
  return navigator.credentials.create({
    publicKey: { ...publicKey, user: { ...user, displayName } },
  });
}

const get = (options: unknown) =>
  navigator.credentials.get({ publicKey: requestSchema.parse(options) });

/**
 * Creates a passkey for a new factor, or uses the passkey of a verified one.
 * @throws the browser's NotAllowedError if the user declined or has no such passkey here, and the server's errors
 */
export async function answerWithPasskey(factorId: string): Promise<void> {
  const { mfa } = supabase().auth;
  const here = { rpId: location.hostname, rpOrigins: [location.origin] };
  const { data, error } = await mfa.challenge({ factorId, webauthn: here });
  if (error) throw error;
  const { type, credential_options: options } = data.webauthn;
  const perform = type === 'create' ? create : get;
  const verified = await mfa.webauthn.verify({
    factorId,
    challengeId: data.id,
    webauthn: {
      type,
      ...here,
      credential_response: answerSchema.parse(await perform(options.publicKey)),
    },
  });
  if (verified.error) throw verified.error;
}
