// POST /bucket
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { tooLarge } from '../errors/catalogue.ts';
import { readJson } from '../input/json.ts';
import { readBucketName } from '../input/names.ts';
import { SizeLimit } from '../input/size.ts';
import { ownerOf } from '../objects/owner.ts';
import type { Endpoint, Service } from '../service.ts';

const Types = z.array(
  z.string().regex(/^([a-z]+|\*)\/([\w.+-]+|\*)(;.*)?$/i, 'must be mime types like image/png'),
);

export const Options = z.object({
  public: z.boolean().nullish(),
  file_size_limit: SizeLimit.nullish(),
  allowed_mime_types: Types.nullish(),
});

const Body = Options.extend({ name: z.string(), id: z.string().nullish() });

/** @throws StorageError when the bucket's limit exceeds the service's */
export function checkLimit(service: Service, { file_size_limit }: z.infer<typeof Options>): void {
  const limit = service.context.settings.storage.file_size_limit;
  if ((file_size_limit ?? 0) > limit) throw tooLarge();
}

export const createBucket: Endpoint = async (service, request, _reply, user) => {
  const body = await readJson(request, Body);
  const name = readBucketName(body.name);
  const id = readBucketName(body.id || name);
  checkLimit(service, body);
  const types = body.allowed_mime_types ?? null;
  await asCaller(service, user).write(
    `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
     values ($1, $2, $3, $4, case when $5::jsonb is null then null
       else array(select jsonb_array_elements_text($5::jsonb)) end, $6, $7)`,
    [
      id,
      name,
      String(body.public ?? false),
      body.file_size_limit?.toString() ?? null,
      types === null ? null : JSON.stringify(types),
      ...ownerOf(user.sub),
    ],
  );
  return { name };
};
