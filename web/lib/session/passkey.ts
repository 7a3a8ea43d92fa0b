// The talk with the browser about a passkey: makes one for a factor, or shows the one that a factor has.
// Done here and not by auth-js, whose defaults for both admit security keys only: no fingerprint, no face, no phone.
import { z } from 'zod';
import { supabase } from '../supabase/client.ts';

type Verification = Parameters<ReturnType<typeof supabase>['auth']['mfa']['webauthn']['verify']>[0];
type Answer = Verification['webauthn']['credential_response'];

const answerSchema = z.custom<Answer>((answer) => answer instanceof PublicKeyCredential);

// The types of auth-js know a transport that those of the browser do not.
const isObject = (options: unknown) => typeof options === 'object' && options !== null;
const creationSchema = z.custom<PublicKeyCredentialCreationOptions>(isObject);
const requestSchema = z.custom<PublicKeyCredentialRequestOptions>(isObject);

function create(options: unknown) {
  const publicKey = creationSchema.parse(options);
  const { user } = publicKey;
  // Some authenticators refuse a person without a name to show.
  const displayName = user.displayName || user.name;
  return navigator.credentials.create({
    publicKey: { ...publicKey, user: { ...user, displayName } },
  });
}

const show = (options: unknown) =>
  navigator.credentials.get({ publicKey: requestSchema.parse(options) });

/**
 * @param factorId of a factor that is new (makes a passkey) or verified (shows it)
 * @throws the browser's NotAllowedError when the person declined or the passkey is not at hand, and the server's refusals
 */
export async function answerWithPasskey(factorId: string): Promise<void> {
  const { mfa } = supabase().auth;
  const here = { rpId: location.hostname, rpOrigins: [location.origin] };
  const { data, error } = await mfa.challenge({ factorId, webauthn: here });
  if (error) throw error;
  const { type, credential_options: options } = data.webauthn;
  const perform = type === 'create' ? create : show;
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
