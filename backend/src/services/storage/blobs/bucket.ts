// A bucket of an S3-compatible store. The SDK is loaded only when a setting names one.
import { Readable } from 'node:stream';
import type { CompletedPart } from '@aws-sdk/client-s3';

export interface S3Address {
  endpoint: string;
  region: string;
  bucket: string;
  /** Prefix of every key; empty or ending in a slash. */
  prefix: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

interface BucketOptions {
  /** After which a connection without progress ends; default: never. */
  idleMs?: number;
  /** Ends the requests under way. */
  signal?: AbortSignal;
}

/** Names are below the address's prefix. Methods throw the errors of the SDK. */
export interface Bucket {
  /**
   * The object exists when this resolves. Nothing remains when the source fails or the signal aborts.
   * @param partBytes S3 takes 5 MiB or more, and 10,000 parts. About three of them are in memory
   * @returns its bytes @throws the source's error
   */
  upload(name: string, source: AsyncIterable<Buffer>, partBytes?: number): Promise<number>;
  /** @param range first and last byte, inclusive; default: all @returns bytes of the range, and of the whole object */
  read(
    name: string,
    range?: { first: number; last: number },
  ): Promise<{ data: Readable; bytes: number; total: number }>;
  /** @returns bytes of the whole object */
  sizeOf(name: string): Promise<number>;
  /** Without those in folders. */
  list(): Promise<string[]>;
  /** Idempotent. */
  remove(name: string): Promise<void>;
  close(): void;
}

const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
export const MAX_PARTS = 10_000;
const CONNECT_MS = 10_000;
/** For the removal of a failed upload, which may have failed because the store does not answer. */
const ABORT_MS = 3_000;

/** @throws the SDK's error when the store can't be reached or the bucket can't be used */
export async function openBucket(
  address: S3Address,
  { idleMs, signal }: BucketOptions = {},
): Promise<Bucket> {
  const abortable = { abortSignal: signal };
  // Its notice about later versions of Node.js would stand beside every sentence of a command.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { bucket, prefix, ...connection } = address;
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    ...connection,
    forcePathStyle: true,
    // Other stores don't support AWS's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: idleMs },
  });
  const head = new s3.HeadBucketCommand({ Bucket: bucket });
  await client.send(head, abortable).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  const objectOf = (name: string): { Bucket: string; Key: string } => ({
    Bucket: bucket,
    Key: `${prefix}${name}`,
  });

  const sizeOf = async (name: string): Promise<number> => {
    const { ContentLength = 0 } = await client.send(new s3.HeadObjectCommand(objectOf(name)));
    return ContentLength;
  };

  async function uploadParts(
    name: string,
    parts: AsyncGenerator<Part>,
    first: Part,
  ): Promise<number> {
    const object = objectOf(name);
    // Not aborted: its answer names the upload that has to be removed.
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(object));
    const upload = { ...object, UploadId };
    const failed = new AbortController();
    const abortSignal = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
    const sending = new Set<Promise<void>>();
    const sent: CompletedPart[] = [];
    let bytes = 0;
    let number = 0;
    const send = async ({ data }: Part): Promise<void> => {
      bytes += data.length;
      number += 1;
      const part = { ...upload, Body: data, PartNumber: number };
      const { ETag } = await client.send(new s3.UploadPartCommand(part), { abortSignal });
      sent.push({ PartNumber: part.PartNumber, ETag });
    };
    const start = async (part: Part): Promise<void> => {
      // Rethrown below: the source may make the next part wait.
      const work = send(part)
        .catch((error: unknown) => failed.abort(error))
        .finally(() => sending.delete(work));
      sending.add(work);
      if (sending.size >= PARTS_AT_ONCE) await Promise.race(sending);
      failed.signal.throwIfAborted();
    };
    try {
      await start(first);
      for await (const part of parts) await start(part);
      await Promise.all(sending);
      failed.signal.throwIfAborted();
      signal?.throwIfAborted();
      sent.sort((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
      const whole = { ...upload, MultipartUpload: { Parts: sent } };
      await client.send(new s3.CompleteMultipartUploadCommand(whole)).catch(async (error) => {
        // The answer may be lost after the store has done it.
        if ((await sizeOf(name).catch(() => undefined)) !== bytes) throw error;
      });
      return bytes;
    } catch (error) {
      failed.abort(error);
      await Promise.all(sending);
      const limit = { abortSignal: AbortSignal.timeout(ABORT_MS) };
      // The first error is more important; the store's own rule removes what is left.
      await client.send(new s3.AbortMultipartUploadCommand(upload), limit).catch(() => {});
      throw error;
    }
  }

  return {
    upload: async (name, source, partBytes = PART_BYTES) => {
      const parts = cutIntoParts(source, partBytes);
      try {
        const { value: first } = await parts.next();
        if (first === undefined) throw new Error('There is no first part.');
        if (!first.isLast) return await uploadParts(name, parts, first);
        const Body = first.data;
        const object = { ...objectOf(name), Body };
        await client.send(new s3.PutObjectCommand(object), abortable);
        return Body.length;
      } finally {
        // Closes the source.
        await parts.return(undefined);
      }
    },
    read: async (name, range) => {
      const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
      const {
        Body,
        ContentLength = 0,
        ContentRange,
      } = await client.send(new s3.GetObjectCommand({ ...objectOf(name), ...part }), abortable);
      if (!(Body instanceof Readable)) throw new Error('The object store sent no stream.');
      // `bytes 0-4/5` (RFC 9110 section 14.4).
      const total = ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1]);
      return { data: Body, bytes: ContentLength, total };
    },
    sizeOf,
    list: async () => {
      const names: string[] = [];
      const folder = { Bucket: bucket, Prefix: prefix, Delimiter: '/' };
      const pages = s3.paginateListObjectsV2({ client }, folder, abortable);
      for await (const { Contents } of pages) {
        for (const { Key = '' } of Contents ?? []) names.push(Key.slice(prefix.length));
      }
      return names;
    },
    remove: async (name) => {
      await client.send(new s3.DeleteObjectCommand(objectOf(name)), abortable);
    },
    close: () => client.destroy(),
  };
}

interface Part {
  data: Buffer;
  isLast: boolean;
}

/** All have the same size, as some stores demand, except for the last, which may be the only one and empty. */
async function* cutIntoParts(
  source: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Part, undefined> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes <= partBytes) continue;
    let rest = Buffer.concat(waiting);
    for (; rest.length > partBytes; rest = rest.subarray(partBytes)) {
      yield { data: rest.subarray(0, partBytes), isLast: false };
    }
    // A copy, so that the parts can be freed.
    waiting = [Buffer.from(rest)];
    bytes = rest.length;
  }
  yield { data: Buffer.concat(waiting), isLast: true };
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
const LOST = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];
const TLS = /^EPROTO$|^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_/;

/** @returns a clause for the operator, without credentials */
export function whyUnusable(
  error: unknown,
  { bucket, endpoint }: Pick<S3Address, 'bucket' | 'endpoint'>,
): string {
  const { name, code, message, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  if (code !== undefined && UNREACHABLE.includes(code)) {
    return `${endpoint} can't be reached (${code})`;
  }
  if (code !== undefined && LOST.includes(code)) {
    return `the connection to ${endpoint} was lost (${code})`;
  }
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') return `${endpoint} does not answer`;
  if (code !== undefined && TLS.test(code)) {
    return `there is no TLS connection to ${endpoint} (${code}; ssl=off in the address is for plain HTTP)`;
  }
  if (status === 401 || status === 403) {
    return `${endpoint} refuses the key or the secret for bucket ${bucket} (${status})`;
  }
  if (name === 'NoSuchBucket' || status === 404) return `${endpoint} has no bucket ${bucket}`;
  if (status === 301) return `bucket ${bucket} at ${endpoint} is in another region`;
  if (status === 507) return `the store at ${endpoint} is full`;
  return `bucket ${bucket} at ${endpoint} returned ${code ?? name} (${message})`;
}
