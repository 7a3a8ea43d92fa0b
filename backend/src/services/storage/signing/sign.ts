import { z } from 'zod';
import { fetchLimits } from '../buckets/bucket.ts';
import { serializeTransform, Transform } from '../images/transform.ts';
import { bucketNameOf, readJson, readObjectAddress } from '../input.ts';
import { checkMayWrite, findObject } from '../objects/object-row.ts';
import type { Call, Endpoint } from '../service.ts';

/** Seconds; keeps the expiry a valid date. */
const MAX_LIFETIME = 100 * 365 * 24 * 3600;
const Lifetime = z.number().min(1).max(MAX_LIFETIME).transform(Math.ceil);

const Body = z.object({ expiresIn: Lifetime, transform: Transform.nullish() });

const ownerOf = ({ sub }: Call): { owner?: string } => (sub === undefined ? {} : { owner: sub });

/** POST /object/sign/{bucket}/{key} */
export const signObject: Endpoint = async (call) => {
  const { bucket, key } = readObjectAddress(call.request);
  const { expiresIn, transform } = await readJson(call.request, Body);
  await findObject(call.db, bucket, key);
  const url = `${bucket}/${key}`;
  const transformations = serializeTransform(transform ?? {});
  const isImage = transformations !== '';
  const token = await call.signedUrls.signDownload(
    { url, ...(isImage ? { transformations, ...ownerOf(call) } : {}) },
    expiresIn,
  );
  return { signedURL: `/${isImage ? 'render/image' : 'object'}/sign/${url}?token=${token}` };
};

const MAX_PATHS = 1_000;
const ManyBody = z.object({
  expiresIn: Lifetime,
  paths: z.array(z.string()).min(1).max(MAX_PATHS),
});
const NOT_FOUND = 'Either the object does not exist or you do not have access to it';

/** POST /object/sign/{bucket}: signed URLs of many objects; an error for each that the caller can't read. */
export const signObjects: Endpoint = async (call) => {
  const bucket = bucketNameOf(call.request);
  const { expiresIn, paths } = await readJson(call.request, ManyBody);
  const asked = paths.filter((path) => !path.includes('\0'));
  const found = await call.db.rows(
    z.string(),
    `select to_jsonb(o.name) from storage.objects o
     where o.bucket_id = $1 and o.name = any (array(select jsonb_array_elements_text($2::jsonb)))`,
    [bucket, JSON.stringify(asked)],
  );
  const visible = new Set(found);
  return Promise.all(
    paths.map(async (path) => {
      if (!visible.has(path)) return { error: NOT_FOUND, path, signedURL: null };
      const url = `${bucket}/${path}`;
      const token = await call.signedUrls.signDownload({ url }, expiresIn);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    }),
  );
};

const LIFETIME_S = 2 * 3600;

/** POST /object/upload/sign/{bucket}/{key}: checks the right to upload now and returns a URL for it. */
export const signUpload: Endpoint = async (call) => {
  const { bucket: name, key } = readObjectAddress(call.request);
  const bucket = await fetchLimits(call, name);
  const upsert = call.request.headers['x-upsert'] === 'true';
  const object = { bucket: bucket.id, key, sub: call.sub, replaces: upsert };
  await checkMayWrite(call.db, { ...object, cacheControl: '', userMetadata: null }, 0);
  const url = `${bucket.id}/${key}`;
  const token = await call.signedUrls.signUpload({ url, upsert, ...ownerOf(call) }, LIFETIME_S);
  return { url: `/object/upload/sign/${url}?token=${token}`, token };
};
