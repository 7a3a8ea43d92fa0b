// Adds and removes second factors. Each change gives the session the account's new list of them.
import { answerWithPasskey } from '#web/lib/session/passkey.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type AppEnrolment = {
  factorId: string;
  /** An image, as a data: address. */
  qrCode: string;
  /** Base32, for typing in. */
  secret: string;
};

/** A factor that was begun and never confirmed would keep its name from being used again. */
async function dropUnconfirmed(type: 'totp' | 'webauthn'): Promise<void> {
  const { data, error } = await supabase().auth.mfa.listFactors();
  if (error) throw error;
  const left = data.all.filter(
    (factor) => factor.factor_type === type && factor.status === 'unverified',
  );
  for (const { id } of left) await removeFactor(id);
}

/** @param name by which the person tells it from others @param issuer whose account it is, as the app shows it */
export async function beginApp(name: string, issuer: string): Promise<AppEnrolment> {
  await dropUnconfirmed('totp');
  const { data, error } = await supabase().auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: name,
    issuer,
  });
  if (error) throw error;
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/** @param code that the app shows @throws when it is wrong */
export async function confirmApp(factorId: string, code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/**
 * Makes a passkey on this device and adds it under this name.
 * @throws when it was cancelled, or the device can't
 */
export async function addPasskey(name: string): Promise<void> {
  await dropUnconfirmed('webauthn');
  const { data, error } = await supabase().auth.mfa.webauthn.enroll({ friendlyName: name });
  if (error) throw error;
  try {
    await answerWithPasskey(data.id);
  } catch (reason) {
    await removeFactor(data.id);
    throw reason;
  }
}

export async function removeFactor(factorId: string): Promise<void> {
  const { auth } = supabase();
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error) throw error;
  const refreshed = await auth.refreshSession();
  if (refreshed.error) throw refreshed.error;
}
