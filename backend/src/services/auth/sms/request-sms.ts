// Creates a one-time code for a phone number of an account and sends it.

import { transaction } from '../database.ts';
import { authError } from '../errors.ts';
import type { Call, Service } from '../service.ts';
import { PURPOSES, randomCode, recordRequest, storeToken } from '../tokens/one-time-token.ts';

/** @param phone E.164 digits that the code is sent to; for a change, the new number */
export async function requestSms(
  call: Call,
  purpose: 'signup' | 'phone_change' | 'reauthentication',
  userId: string,
  phone: string,
): Promise<void> {
  const { sms, email } = call.context.settings.auth;
  const code = codeFor(call, phone, email.otp_length);
  await transaction(call.pool, async (db) => {
    await recordRequest(db, call, purpose, { id: userId });
    await storeToken(db, userId, PURPOSES[purpose][0], phone, code);
  });
  sendCode(call, sms.template, { phone, code, userId });
}

// Sends a code to a phone. Test numbers of config.toml have a fixed code and get no message.

/** Whether accounts may have a phone number and codes can reach it. */
export function requirePhones(service: Service, phone: string): void {
  const { sms } = service.context.settings.auth;
  if (!sms.enable_signup) throw authError('phoneUnsupported');
  requireReachable(service, phone);
}

/** @throws AuthError 400 if no carrier is configured */
export function requireReachable({ sms, context }: Service, phone: string): void {
  const isTest = context.settings.auth.sms.test_otp[phone] !== undefined;
  if (sms === undefined && !isTest) throw authError('phoneUnsupported');
}

/** @throws AuthError 400 for an unsupported channel */
export function requireChannel(channel: string): void {
  if (channel !== '' && channel !== 'sms') throw authError('badChannel');
}

/** @returns six random digits, or the fixed code of a test number */
export function codeFor({ context }: Service, phone: string, length: number): string {
  const { test_otp: tests } = context.settings.auth.sms;
  return tests[phone] ?? randomCode(length);
}

/** Sends after the response. @param template with `{{ .Code }}` */
export function sendCode(
  call: Call,
  template: string,
  message: { phone: string; code: string; userId: string },
): void {
  const { sms, context } = call;
  if (context.settings.auth.sms.test_otp[message.phone] !== undefined) return;
  const text = template.replaceAll(/\{\{\s*\.Code\s*\}\}/g, message.code);
  call.later(async () => {
    await sms?.send({ ...message, text });
  });
}
