// Reads `[auth.mfa]` and `[auth.webauthn]` of config.toml: second factors, and whom passkeys are made for.
import { z } from 'zod';
import { PhoneFactor } from './sms.ts';

const switches = (byDefault: boolean) => ({
  enroll_enabled: z.boolean().default(byDefault),
  verify_enabled: z.boolean().default(byDefault),
});

export const SecondFactors = z
  .object({
    max_enrolled_factors: z.number().int().positive().default(10),
    totp: z.object(switches(true)).prefault({}),
    phone: PhoneFactor,
    web_authn: z.object(switches(false)).prefault({}),
  })
  .prefault({});

export const RelyingPartySettings = z
  .object({
    /** Domain; the site's unless given. */
    rp_id: z.string().default(''),
    rp_display_name: z.string().default(''),
    /** Addresses of pages that may ask for a passkey; the site's unless given. */
    rp_origins: z.array(z.url()).default([]),
  })
  .prefault({});
