import { z } from 'zod';

const Uuid = z.guid();

/** @returns the columns `owner`, a uuid or null, and `owner_id`, the token's subject */
export function ownerOf(sub: string | undefined): [owner: string | null, ownerId: string | null] {
  if (sub === undefined) return [null, null];
  return [Uuid.safeParse(sub).success ? sub : null, sub];
}
