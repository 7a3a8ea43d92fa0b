// GET of /object/info/…: what is known of an object.
import type { ObjectRow } from '../objects/object-row.ts';
import type { Endpoint, OpenEndpoint } from '../service.ts';
import { findAsCaller, findInPublic } from './find-readable.ts';

function shown({
  id,
  name,
  version,
  bucket_id,
  metadata,
  user_metadata,
  ...row
}: ObjectRow): object {
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: user_metadata ?? {},
    last_modified: metadata.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

export const info: Endpoint = async (service, request, _reply, visitor) =>
  shown(await findAsCaller(service, request, visitor));

export const infoPublic: OpenEndpoint = async (service, request) =>
  shown(await findInPublic(service, request));
