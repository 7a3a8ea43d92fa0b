// POST /object/sign/{bucket}: signed URLs of many objects; an error for each that the caller can't read.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { Lifetime } from './sign-object.ts';

const MAX_PATHS = 1_000;
const ManyBody = z.object({ expiresIn: Lifetime, paths: z.array(z.string()).min(1).max(MAX_PATHS) });
const NOT_FOUND = 'Either the object does not exist or you do not have access to it';

export const signObjects: Endpoint = async (service, request, _reply, user) => {
  const bucket = bucketNameOf(request);
  const { expiresIn, paths } = await readJson(request, ManyBody);
  const asked = paths.filter((path) => !path.includes('\0'));
  const found = await asCaller(service, user).rows(
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
      const token = await service.signedUrls.signDownload({ url }, expiresIn);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    }),
  );
};
