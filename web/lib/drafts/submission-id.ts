/**
 * An id made on the device, the same for each attempt of one submission: a retry after a lost response, in a second tab or by
 * a second press names the same record.
 * @param parts everything that distinguishes submissions, including the id of the draft
 * @returns a UUID of version 8 (RFC 9562), from SHA-256
 */
export async function submissionId(...parts: string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
