// Sends a code to a phone. Test numbers of config.toml have a fixed code and get no message.
import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';

/** Whether accounts may have a phone number and codes can reach it. */
export function requirePhones(service: Service, phone: string): void {
  const { sms } = service.context.settings.auth;
  if (!sms.enable_signup) throw refusals.phoneUnsupported();
  requireReachable(service, phone);
}

/** @throws AuthError 400 if no carrier is configured */
export function requireReachable({ sms, context }: Service, phone: string): void {
  const isTest = context.settings.auth.sms.test_otp[phone] !== undefined;
  if (sms === undefined && !isTest) throw refusals.phoneUnsupported();
}

/** @throws AuthError 400 for an unsupported channel */
export function requireChannel(channel: string): void {
  if (channel !== '' && channel !== 'sms') throw refusals.badChannel();
}

/** @returns six random digits, or the fixed code of a test number */
export function codeFor({ context }: Service, phone: string, length: number): string {
  const { test_otp: tests } = context.settings.auth.sms;
  return tests[phone] ?? String(randomInt(10 ** length)).padStart(length, '0');
}

/** Sends after the response. @param template with `{{ .Code }}` */
export function sendCode(
  service: Service,
  request: FastifyRequest,
  template: string,
  message: { phone: string; code: string; userId: string },
): void {
  const { sms, context } = service;
  if (context.settings.auth.sms.test_otp[message.phone] !== undefined) return;
  const text = template.replaceAll(/\{\{\s*\.Code\s*\}\}/g, message.code);
  service.later(request, async () => {
    await sms?.send({ ...message, text });
  });
}
