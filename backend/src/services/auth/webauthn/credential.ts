// Credentials in WebAuthn's JSON form.
import { z } from 'zod';

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+={0,2}$/)
  .max(200_000);

const always = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
};

export const NewCredential = z.object({
  ...always,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(16).default([]),
  }),
});
export type NewCredential = z.output<typeof NewCredential>;

export const KnownCredential = z.object({
  ...always,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().nullish(),
  }),
});
export type KnownCredential = z.output<typeof KnownCredential>;

/** A stored credential. */
export const StoredCredential = z.object({
  /** base64url. */
  id: z.string(),
  /** COSE key, base64url. */
  public_key: z.string(),
  sign_count: z.number(),
  transports: z.array(z.string()).default([]),
});
export type StoredCredential = z.output<typeof StoredCredential>;
