// Tokens of signed URLs: HS256, with a secret in the database that signs no other tokens.
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Pool } from 'pg';
import { z } from 'zod';
import { invalidSignature, invalidToken } from '../errors.ts';

const ALGORITHM = 'HS256';

const Download = z.object({
  /** `bucket/key`. */
  url: z.string(),
  scope: z.literal('download'),
  /** For an image, for example `height:100,width:200`. */
  transformations: z.string().optional(),
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

export interface SignedUrls {
  /** @param lifetime seconds */
  signDownload(claims: Claims<typeof Download>, lifetime: number): Promise<string>;
  /** @param lifetime seconds */
  signUpload(claims: Claims<typeof Upload>, lifetime: number): Promise<string>;
  /** @throws StorageError InvalidJWT, or InvalidSignature when it is for another object or scope */
  checkDownload(token: string, url: string): Promise<z.infer<typeof Download>>;
  /** @param url undefined to accept any object */
  checkUpload(token: string, url: string | undefined): Promise<z.infer<typeof Upload>>;
}

async function readSecret(pool: Pool): Promise<Uint8Array> {
  const { rows } = await pool.query<{ value: string }>('select value from storage.signing_secret');
  const [row] = rows;
  if (row === undefined) throw new Error('storage.signing_secret is empty.');
  return new TextEncoder().encode(row.value);
}

/** @param pool of the service's own role, the only one that may read the secret */
export async function openSignedUrls(pool: Pool): Promise<SignedUrls> {
  const secret = await readSecret(pool);
  const sign = (claims: Record<string, unknown>, lifetime: number): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .sign(secret);
  };
  const check = async <T extends z.ZodType<{ url: string }>>(
    schema: T,
    token: string,
    url: string | undefined,
    scope: string,
  ): Promise<z.output<T>> => {
    const { payload } = await jwtVerify(token, secret, { algorithms: [ALGORITHM] }).catch(
      (error: unknown) => {
        const isToken = error instanceof errors.JOSEError || error instanceof TypeError;
        throw isToken || error instanceof SyntaxError ? invalidToken(error.message) : error;
      },
    );
    const claims = schema.safeParse(payload);
    if (!claims.success) throw invalidSignature(`Token is not scoped for ${scope}`);
    if (url !== undefined && claims.data.url !== url) throw invalidSignature();
    return claims.data;
  };
  return {
    signDownload: (claims, lifetime) => sign({ ...claims, scope: 'download' }, lifetime),
    signUpload: (claims, lifetime) => sign({ ...claims, scope: 'upload' }, lifetime),
    checkDownload: (token, url) => check(Download, token, url, 'download'),
    checkUpload: (token, url) => check(Upload, token, url, 'upload'),
  };
}
