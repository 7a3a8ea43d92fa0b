// `[auth.sms]`, `[auth.mfa.phone]` and `[auth.hook.send_sms]` of config.toml.
import { z } from 'zod';
import { section } from './section.ts';

const TEMPLATE = 'Your code is {{ .Code }}';

const UNITS = { s: 1, m: 60, h: 3600 };

/** A duration as the CLI writes it (`1s`, `5m`, `24h`, `1h30m0s`), in seconds. */
export const seconds = z
  .string()
  .regex(/^(?=.)(\d+h)?(\d+m)?(\d+s)?$/, 'write it like 30s, 5m or 24h')
  .transform((text) => {
    const part = (unit: keyof typeof UNITS): number =>
      Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0) * UNITS[unit];
    return part('h') + part('m') + part('s');
  });

const Twilio = section({
  enabled: z.boolean().default(false),
  account_sid: z.string().default(''),
  message_service_sid: z.string().default(''),
  auth_token: z.string().default(''),
});

export const SmsSettings = section({
  /** Whether accounts may have a phone number. */
  enable_signup: z.boolean().default(false),
  enable_confirmations: z.boolean().default(false),
  template: z.string().default(TEMPLATE),
  /** Seconds between two messages to one number. */
  max_frequency: seconds.default(5),
  /** Lifetime of a code in seconds, and messages to one number in an hour. Not CLI keys. */
  otp_expiry: z.number().int().positive().default(60),
  sent_per_hour: z.number().int().positive().default(30),
  /** Codes by phone number, digits only: accepted without a message. */
  test_otp: z.record(z.string(), z.string()).default({}),
  twilio: Twilio,
});

export const PhoneFactor = section({
  enroll_enabled: z.boolean().default(false),
  verify_enabled: z.boolean().default(false),
  otp_length: z.number().int().min(6).max(10).default(6),
  template: z.string().default(TEMPLATE),
});

/** The operator's gateway, called as Standard Webhooks defines. */
export const SmsHook = section({
  enabled: z.boolean().default(false),
  uri: z.string().default(''),
  /** `v1,whsec_<base64>`, several separated by `|`: the first one signs. */
  secrets: z.string().default(''),
});

// `[auth.mfa]` and `[auth.webauthn]` of config.toml.
const switches = (byDefault: boolean) => ({
  enroll_enabled: z.boolean().default(byDefault),
  verify_enabled: z.boolean().default(byDefault),
});

export const SecondFactors = section({
  max_enrolled_factors: z.number().int().positive().default(10),
  totp: z.object(switches(true)).prefault({}),
  phone: PhoneFactor,
  web_authn: z.object(switches(false)).prefault({}),
});

export const RelyingPartySettings = section({
  /** Domain; defaults to the site's. */
  rp_id: z.string().default(''),
  rp_display_name: z.string().default(''),
  /** Origins of pages that may use passkeys; default to the site's. */
  rp_origins: z.array(z.url()).default([]),
});
