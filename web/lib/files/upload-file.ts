// Uploads a file with progress, which supabase-js can't report.
import { StorageApiError } from '@supabase/supabase-js';
import { z } from 'zod';
import { accepted } from '../outbox/answers.ts';
import type { Client } from '../supabase/client.ts';

/** Replaces characters that are not safe in storage paths and URLs. Keeps the extension. */
export function storableName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
  return plain.slice(-100) || 'file';
}

/** An upload without progress for this long is aborted, milliseconds. */
const STALL_MS = 60_000;
/** supabase-js itself waits as long as the browser does, which is minutes. */
const TIMEOUT_MS = 20_000;

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

const timeout = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new TypeError('Failed to fetch')), TIMEOUT_MS);
  });

/** @param address signed upload URL @throws TypeError when the connection was lost */
function put(address: string, { content, type, onProgress }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stallTimer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), STALL_MS);
    };
    const lost = () => {
      clearTimeout(stallTimer);
      // The browser's own message, so that it is handled like any lost connection.
      reject(new TypeError('Failed to fetch'));
    };
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      restartTimer();
      // 1 is reported after the server's response.
      if (total > 0) onProgress(Math.min(0.99, loaded / total));
    });
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.addEventListener('load', () => {
      clearTimeout(stallTimer);
      resolve({ status: request.status, text: request.responseText });
    });
    request.open('PUT', address);
    request.setRequestHeader('content-type', type);
    restartTimer();
    request.send(content);
  });
}

const refusalSchema = z.object({ message: z.string(), statusCode: z.coerce.number() });

/** The storage service answers 403 for refusals by row-level security, and for expired tokens. */
const FORBIDDEN = 403;
const NO_TOKEN = 401;

function refusal(message: string, status: number) {
  const isToken = status === FORBIDDEN && !message.includes('row-level security');
  return { error: { message, code: 'storage' }, status: isToken ? NO_TOKEN : status };
}

/** The storage service answers most errors with HTTP 400 and the real status in the body. */
function refusalOf({ status, text }: Answer) {
  try {
    const { message, statusCode } = refusalSchema.parse(JSON.parse(text));
    return refusal(message, statusCode);
  } catch {
    // A gateway's own error page.
    return { error: { message: `The server answered ${status}.` }, status };
  }
}

/**
 * Uploads a file to a path that is unique to it, so a retry finds it stored and sends nothing.
 * @throws NotSent when the server refuses it, TypeError when the connection was lost
 */
export async function uploadFile(connection: Client, upload: Upload): Promise<void> {
  const asked = connection.storage.from(upload.bucket).createSignedUploadUrl(upload.path);
  const { data, error } = await Promise.race([asked, timeout()]);
  if (error instanceof StorageApiError) {
    const status = Number(error.statusCode) || error.status;
    if (status !== 409) accepted(refusal(error.message, status));
  } else if (error) {
    throw new TypeError('Failed to fetch', { cause: error });
  }
  if (data) {
    const answer = await put(data.signedUrl, upload);
    // 409: an earlier attempt has arrived.
    const refused = refusalOf(answer);
    if (answer.status >= 300 && refused.status !== 409) accepted(refused);
  }
  upload.onProgress(1);
}
