// Who made a bucket or an object: columns `owner` (a uuid or nothing) and `owner_id` (the token's subject as it is).
import { z } from 'zod';

const Uuid = z.guid();

export function ownerOf(sub: string | undefined): [owner: string | null, ownerId: string | null] {
  if (sub === undefined) return [null, null];
  return [Uuid.safeParse(sub).success ? sub : null, sub];
}
