// Tokens of signed URLs: HS256, with a secret in the database that signs no other tokens.
import { jwtVerify, SignJWT } from 'jose';
import type { Pool } from 'pg';
import { z } from 'zod';
import { isInvalidToken } from '../../../keys/key-ring.ts';
import { invalidSignature, invalidToken } from '../errors.ts';

const ALGORITHM = 'HS256';

const Download = z.object({
  /** `bucket/key`. */
  url: z.string(),
  scope: z.literal('download'),
  /** For an image, for example `height:100,width:200`. */
  transformations: z.string().optional(),
  /** Subject of the token with which the URL was signed, whose share of the transformations it draws on. */
  owner: z.string().optional(),
  exp: z.number(),
});
const Upload = z.object({
  url: z.string(),
  scope: z.literal('upload'),
  upsert: z.boolean(),
  /** Subject of the token with which the URL was signed. */
  owner: z.string().optional(),
});

type Claims<T extends z.ZodType> = Omit<z.infer<T>, 'scope' | 'exp'>;
export type SignedUrls = Awaited<ReturnType<typeof openSignedUrls>>;

async function readSecret(pool: Pool): Promise<Uint8Array> {
  const { rows } = await pool.query<{ value: string }>('select value from storage.signing_secret');
  const [row] = rows;
  if (row === undefined) throw new Error('storage.signing_secret is empty.');
  return new TextEncoder().encode(row.value);
}

/** @param pool of the service's own role, the only one that may read the secret */
export async function openSignedUrls(pool: Pool) {
  const secret = await readSecret(pool);
  const sign = (claims: Record<string, unknown>, lifetime: number): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .sign(secret);
  };
  /** @throws StorageError InvalidJWT, or InvalidSignature when it is for another object or scope */
  const check = async <T extends z.ZodType<{ url: string }>>(
    schema: T,
    token: string,
    url: string | undefined,
    scope: string,
  ): Promise<z.output<T>> => {
    const { payload } = await jwtVerify(token, secret, { algorithms: [ALGORITHM] }).catch(
      (error: unknown) => {
        throw isInvalidToken(error) ? invalidToken(error.message) : error;
      },
    );
    const claims = schema.safeParse(payload);
    if (!claims.success) throw invalidSignature(`Token is not scoped for ${scope}`);
    if (url !== undefined && claims.data.url !== url) throw invalidSignature();
    return claims.data;
  };
  return {
    /** @param lifetime seconds */
    signDownload: (claims: Claims<typeof Download>, lifetime: number) =>
      sign({ ...claims, scope: 'download' }, lifetime),
    /** @param lifetime seconds */
    signUpload: (claims: Claims<typeof Upload>, lifetime: number) =>
      sign({ ...claims, scope: 'upload' }, lifetime),
    checkDownload: (token: string, url: string) => check(Download, token, url, 'download'),
    /** @param url undefined to accept any object */
    checkUpload: (token: string, url: string | undefined) => check(Upload, token, url, 'upload'),
  };
}
