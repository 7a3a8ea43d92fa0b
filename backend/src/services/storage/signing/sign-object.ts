// POST /object/sign/{bucket}/{key}: an address that opens one object for a while.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { Transform, transformText } from '../images/transform.ts';
import { readJson } from '../input/json.ts';
import { addressOf } from '../input/names.ts';
import { findObject } from '../objects/object-row.ts';
import type { Endpoint } from '../service.ts';

/** Seconds; beyond it a date has no place in a token. */
const LONGEST = 100 * 365 * 24 * 3600;
export const Lifetime = z.number().min(1).max(LONGEST).transform(Math.ceil);

const Body = z.object({ expiresIn: Lifetime, transform: Transform.nullish() });

export const signObject: Endpoint = async (service, request, _reply, visitor) => {
  const { bucket, key } = addressOf(request);
  const { expiresIn, transform } = await readJson(request, Body);
  await findObject(asCaller(service, visitor), bucket, key);
  const url = `${bucket}/${key}`;
  const transformations = transformText(transform ?? {});
  const isImage = transformations !== '';
  const token = await service.signedUrls.signDownload(
    { url, ...(isImage ? { transformations } : {}) },
    expiresIn,
  );
  return { signedURL: `/${isImage ? 'render/image' : 'object'}/sign/${url}?token=${token}` };
};
