// Sends a file to the store and tells how far it is, which supabase-js can't.
import { StorageApiError } from '@supabase/supabase-js';
import { z } from 'zod';
import { accepted } from '../outbox/answers.ts';
import type { Client } from '../supabase/client.ts';

/** A line that moves nothing for this long is taken for dead, milliseconds. */
const SILENCE_MS = 60_000;
/** A short question is answered by then, or not at all. */
const PATIENCE_MS = 20_000;

type Upload = {
  bucket: string;
  path: string;
  content: Blob;
  /** MIME type. */
  type: string;
  /** @param share of the file that is sent, 0 to 1 */
  onProgress: (share: number) => void;
};

type Answer = { status: number; text: string };

/** supabase-js waits for this question for as long as the browser does, which is minutes. */
const givenUp = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new TypeError('Failed to fetch')), PATIENCE_MS);
  });

/** @param address that takes one upload @throws TypeError when the connection was lost */
function put(address: string, { content, type, onProgress }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
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
      // The last step is the server's answer.
      if (total > 0) onProgress(Math.min(0.99, loaded / total));
    });
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.addEventListener('load', () => {
      clearTimeout(silence);
      resolve({ status: request.status, text: request.responseText });
    });
    request.open('PUT', address);
    request.setRequestHeader('content-type', type);
    listen();
    request.send(content);
  });
}

const refusalSchema = z.object({ message: z.string(), statusCode: z.coerce.number() });

/** The store's word for what the caller may not do; a token that has run out is told with the same code. */
const FORBIDDEN = 403;
const NO_TOKEN = 401;

function refusal(message: string, status: number) {
  const isToken = status === FORBIDDEN && !message.includes('row-level security');
  return { error: { message, code: 'storage' }, status: isToken ? NO_TOKEN : status };
}

/** The store answers 400 to most, and says in the body what it means. */
function refusalOf({ status, text }: Answer) {
  try {
    const { message, statusCode } = refusalSchema.parse(JSON.parse(text));
    return refusal(message, statusCode);
  } catch {
    // A gateway's own page.
    return { error: { message: `The server answered ${status}.` }, status };
  }
}

/**
 * Stores a file under a path that nothing else uses. A repeat finds it there, and sends nothing.
 * @throws NotSent when the store refuses it, TypeError when the connection was lost
 */
export async function uploadFile(connection: Client, upload: Upload): Promise<void> {
  const asked = connection.storage.from(upload.bucket).createSignedUploadUrl(upload.path);
  const { data, error } = await Promise.race([asked, givenUp()]);
  if (error instanceof StorageApiError) {
    const status = Number(error.statusCode) || error.status;
    if (status !== 409) accepted(refusal(error.message, status));
  } else if (error) {
    throw new TypeError('Failed to fetch', { cause: error });
  }
  if (data) {
    const answer = await put(data.signedUrl, upload);
    // 409: an earlier try has arrived after all.
    const refused = refusalOf(answer);
    if (answer.status >= 300 && refused.status !== 409) accepted(refused);
  }
  upload.onProgress(1);
}
