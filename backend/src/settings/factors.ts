// `[auth.mfa]` and `[auth.webauthn]` of config.toml.
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
    /** Domain; defaults to the site's. */
    rp_id: z.string().default(''),
    rp_display_name: z.string().default(''),
    /** Origins of pages that may use passkeys; default to the site's. */
    rp_origins: z.array(z.url()).default([]),
  })
  .prefault({});
