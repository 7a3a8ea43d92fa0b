// The size limit of metadata: every access token contains it, so it is in a header of every request.

/** Bytes of JSON, of user_metadata and of app_metadata each. */
export const METADATA_LIMIT = 16 * 1024;

export type Metadata = Record<string, unknown>;

export const bytesOf = (metadata: unknown): number => Buffer.byteLength(JSON.stringify(metadata));

/** @returns the first fields that fit: unlike a user, a provider can't be asked to send less */
export function withinLimit(metadata: Metadata): Metadata {
  const kept: Metadata = {};
  let bytes = 0;
  for (const [key, value] of Object.entries(metadata)) {
    const more = bytesOf({ [key]: value });
    if (bytes + more > METADATA_LIMIT) continue;
    kept[key] = value;
    bytes += more;
  }
  return kept;
}
