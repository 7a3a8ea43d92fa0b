// POST /object/sign/{bucket}/{key}
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { serializeTransform, Transform } from '../images/transform.ts';
import { readJson } from '../input/json.ts';
import { addressOf } from '../input/names.ts';
import { findObject } from '../objects/object-row.ts';
import type { Endpoint } from '../service.ts';

/** Seconds; keeps the expiry a valid date. */
const MAX_LIFETIME = 100 * 365 * 24 * 3600;
export const Lifetime = z.number().min(1).max(MAX_LIFETIME).transform(Math.ceil);

const Body = z.object({ expiresIn: Lifetime, transform: Transform.nullish() });

export const signObject: Endpoint = async (service, request, _reply, user) => {
  const { bucket, key } = addressOf(request);
  const { expiresIn, transform } = await readJson(request, Body);
  await findObject(asCaller(service, user), bucket, key);
  const url = `${bucket}/${key}`;
  const transformations = serializeTransform(transform ?? {});
  const isImage = transformations !== '';
  const token = await service.signedUrls.signDownload(
    { url, ...(isImage ? { transformations } : {}) },
    expiresIn,
  );
  return { signedURL: `/${isImage ? 'render/image' : 'object'}/sign/${url}?token=${token}` };
};
