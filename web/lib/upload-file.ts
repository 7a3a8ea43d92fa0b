// Sends a file to the store and tells how far it is, which supabase-js can't.
import { StorageApiError } from '@supabase/supabase-js';
import { z } from 'zod';
import { supabase } from './supabase.ts';

/** A line that moves nothing for this long is taken for dead, milliseconds. */
const SILENCE_MS = 60_000;

type Upload = {
  bucket: string;
  path: string;
  content: Blob;
  /** MIME type. */
  type: string;
  /** @param share of the file that is sent, 0 to 1 */
  onProgress: (share: number) => void;
};

/** @param address that takes one upload */
function put(address: string, { content, type, onProgress }: Upload): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout>;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), SILENCE_MS);
    };
    const lost = () => {
      clearTimeout(silence);
      // The words that browsers use, so that it is told like any other lost connection.
      reject(new TypeError('Failed to fetch'));
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      listen();
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.addEventListener('load', () => {
      clearTimeout(silence);
      if (request.status < 300) resolve();
      else reject(refusal(request));
    });
    request.open('PUT', address);
    request.setRequestHeader('content-type', type);
    listen();
    request.send(content);
  });
}

const answerSchema = z.object({ message: z.string(), statusCode: z.string() });

function refusal({ status, responseText }: XMLHttpRequest): Error {
  try {
    const { message, statusCode } = answerSchema.parse(JSON.parse(responseText));
    return new StorageApiError(message, status, statusCode);
  } catch {
    // A gateway's own page.
    return new StorageApiError(`The server answered ${status}.`, status, String(status));
  }
}

/**
 * Stores a file under a path that nothing else uses. A repeat finds it there, and sends nothing.
 * @throws the store's refusal, or a TypeError when the connection was lost
 */
export async function uploadFile(upload: Upload): Promise<void> {
  const { data, error } = await supabase()
    .storage.from(upload.bucket)
    .createSignedUploadUrl(upload.path);
  const isThere = error instanceof StorageApiError && error.statusCode === '409';
  if (error && !isThere) throw error;
  if (data) await put(data.signedUrl, upload);
  upload.onProgress(1);
}
