// Photos are stored as bytes. In WebKit a transaction that stores a Blob may never end, and everything after it waits.

/** Larger content stays a Blob, because reading its list of files would take a cheap phone's memory. */
const MAX_BYTES = 4 * 1024 * 1024;

export type StoredBlob = Blob | { bytes: ArrayBuffer; type: string };

export const NOTHING: StoredBlob = { bytes: new ArrayBuffer(0), type: '' };

/** Before the transaction: IndexedDB ends one that waits for anything else. */
export async function toStored(blob: Blob): Promise<StoredBlob> {
  if (blob.size > MAX_BYTES) return blob;
  return { bytes: await blob.arrayBuffer(), type: blob.type };
}

/** @param stored as a Blob by earlier versions of the app */
export const fromStored = (stored: StoredBlob): Blob =>
  stored instanceof Blob ? stored : new Blob([stored.bytes], { type: stored.type });
