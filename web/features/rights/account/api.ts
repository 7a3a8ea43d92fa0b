import type { UserIdentity } from '@supabase/supabase-js';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { retentionKey } from '#web/lib/data/keys.ts';
import { thisAddress } from '#web/lib/session/arrival.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { answerWithPasskey } from '#web/lib/session/passkey.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { toProvider } from '#web/lib/session/sign-in-options.ts';
import { markSignOut } from '#web/lib/session/sign-out.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function changeName(fullName: string): Promise<string> {
  const id = await requireUserId();
  const { data } = await supabase()
    .from('profiles')
    .update({ full_name: fullName.trim() })
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('Your profile no longer exists.');
  return id;
}

export function useChangeName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: changeName,
    onSuccess: (id) => queryClient.invalidateQueries({ queryKey: profileQuery(id).queryKey }),
  });
}

/**
 * Emails a link to the old and to the new address; the change takes effect when both have been opened.
 * @throws if the address is taken or invalid
 */
export async function changeEmail(email: string): Promise<void> {
  const { error } = await supabase().auth.updateUser(
    { email: email.trim() },
    { emailRedirectTo: thisAddress() },
  );
  if (error) throw error;
}

/** Emails the links again. @param current the account's old address */
export async function resendEmailChange(current: string): Promise<void> {
  const { error } = await supabase().auth.resend({
    type: 'email_change',
    email: current,
    options: { emailRedirectTo: thisAddress() },
  });
  if (error) throw error;
}

export function devicesQuery() {
  return queryOptions({
    queryKey: ['devices'],
    queryFn: async () =>
      (await supabase().rpc('my_sessions', undefined, { get: true }).throwOnError()).data,
  });
}

export function periodsQuery() {
  return queryOptions({
    queryKey: [...retentionKey, 'periods'],
    queryFn: async () =>
      (await supabase().from('retention_rules').select('kind, days').order('kind').throwOnError())
        .data,
  });
}

/** @param sessionId of another device */
export async function signOutDevice(sessionId: string): Promise<void> {
  await supabase().rpc('end_session', { session_id: sessionId }).throwOnError();
}

/** @param scope `others` keeps this device signed in; `global` does not */
export async function signOutDevices(scope: 'others' | 'global'): Promise<void> {
  if (scope === 'global') markSignOut();
  const { error } = await supabase().auth.signOut({ scope });
  if (error) throw error;
}

export function identitiesQuery() {
  return queryOptions({
    queryKey: ['identities'],
    queryFn: async () => {
      const { data, error } = await supabase().auth.getUserIdentities();
      if (error) throw error;
      return data.identities;
    },
  });
}

/** Redirects to the provider, which redirects back to this screen. @param name as in the server's settings */
export async function linkIdentity(name: string): Promise<void> {
  const { error } = await supabase().auth.linkIdentity({
    provider: toProvider(name),
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}

/** @throws for the account's last way to sign in */
export async function unlinkIdentity(identity: UserIdentity): Promise<void> {
  const { error } = await supabase().auth.unlinkIdentity(identity);
  if (error) throw error;
}

type AppEnrolment = {
  factorId: string;
  /** Image as a data: URL. */
  qrCode: string;
  /** Base32, to type in. */
  secret: string;
};

/** An enrolment that was never confirmed blocks its name. */
async function removeUnverified(type: 'totp' | 'webauthn'): Promise<void> {
  const { data, error } = await supabase().auth.mfa.listFactors();
  if (error) throw error;
  const left = data.all.filter(
    (factor) => factor.factor_type === type && factor.status === 'unverified',
  );
  for (const { id } of left) await removeFactor(id);
}

/** @param name tells the user's factors apart @param issuer shown by the authenticator app */
export async function enrolApp(name: string, issuer: string): Promise<AppEnrolment> {
  await removeUnverified('totp');
  const { data, error } = await supabase().auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: name,
    issuer,
  });
  if (error) throw error;
  return { factorId: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/** @throws if the code is wrong */
export async function verifyApp(factorId: string, code: string): Promise<void> {
  const { error } = await supabase().auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/**
 * Creates a passkey on this device and adds it to the account.
 * @throws if the user cancels or the device can't
 */
export async function addPasskey(name: string): Promise<void> {
  await removeUnverified('webauthn');
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

export function recoveryCodesQuery() {
  return queryOptions({
    queryKey: ['recovery-codes'],
    queryFn: async () =>
      (await supabase().rpc('recovery_codes_left', undefined, { get: true }).throwOnError()).data,
  });
}

/** @returns ten new codes, which can't be shown again; earlier codes stop working */
export async function createRecoveryCodes(): Promise<string[]> {
  const { data } = await supabase().rpc('create_recovery_codes').throwOnError();
  return data;
}
