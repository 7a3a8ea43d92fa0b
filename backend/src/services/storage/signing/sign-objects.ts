// POST /object/sign/{bucket}: addresses of many objects; what can't be seen gets a word instead.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { Lifetime } from './sign-object.ts';

const MOST = 1_000;
const Body = z.object({ expiresIn: Lifetime, paths: z.array(z.string()).min(1).max(MOST) });
const UNSEEN = 'Either the object does not exist or you do not have access to it';

export const signObjects: Endpoint = async (service, request, _reply, visitor) => {
  const bucket = bucketNameOf(request);
  const { expiresIn, paths } = await readJson(request, Body);
  const asked = paths.filter((path) => !path.includes('\0'));
  const found = await asCaller(service, visitor).rows(
    z.string(),
    `select to_jsonb(o.name) from storage.objects o
     where o.bucket_id = $1 and o.name = any (array(select jsonb_array_elements_text($2::jsonb)))`,
    [bucket, JSON.stringify(asked)],
  );
  const visible = new Set(found);
  return Promise.all(
    paths.map(async (path) => {
      if (!visible.has(path)) return { error: UNSEEN, path, signedURL: null };
      const url = `${bucket}/${path}`;
      const token = await service.signedUrls.signDownload({ url }, expiresIn);
      return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
    }),
  );
};
