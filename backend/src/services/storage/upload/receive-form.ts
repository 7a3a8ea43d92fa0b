// The file of a form, beside its fields `cacheControl` (seconds) and `metadata` (JSON), which may stand before or after it.
import { PassThrough, type Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type Bucket, sizeLimitOf } from '../buckets/bucket.ts';
import { incomplete, invalidRequest, tooLarge } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { declaredLength } from './body-of.ts';
import { checkDeclared } from './keep.ts';
import { readMetadata } from './metadata.ts';

import type { Received } from './store-object.ts';

/** Bytes that a form may have beside its file. */
const OVERHEAD = 2 * 1024 * 1024;
const SECONDS = /^\d{1,10}$/;

/** What the parser can't read is the sender's mistake. */
function refuseForm(error: unknown): never {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  throw status === undefined ? incomplete() : error;
}

/** @returns the file's stream, which ends with a refusal when the form breaks off */
function contentOf({ file }: MultipartFile): Readable {
  const content = new PassThrough();
  // It may break off before anyone reads it; whoever does sees `errored`.
  content.on('error', () => {});
  const brokenOff = (): void => {
    if (!file.readableEnded) content.destroy(incomplete());
  };
  file.once('error', brokenOff);
  file.once('close', brokenOff);
  // A short form may be over before anyone asks for its file.
  if (file.destroyed) brokenOff();
  content.once('close', () => file.unpipe(content));
  return file.pipe(content);
}

/** @throws StorageError when there is no file, or it can't be taken */
export async function receiveForm(
  service: Service,
  request: FastifyRequest,
  bucket: Bucket,
): Promise<Received> {
  const limit = sizeLimitOf(service, bucket);
  if ((declaredLength(request) ?? 0) > limit + OVERHEAD) throw tooLarge();
  const parts = request.parts({
    limits: { fileSize: limit + OVERHEAD, files: 1, fields: 20, fieldSize: OVERHEAD / 2 },
  });
  const fields = new Map<string, string>();
  /** @returns the next file, with the fields on the way to it remembered */
  const nextFile = async (): Promise<MultipartFile | undefined> => {
    for (;;) {
      const { value: part, done } = await parts.next().catch(refuseForm);
      if (done) return undefined;
      if (part.type === 'file') return part;
      if (typeof part.value === 'string') fields.set(part.fieldname, part.value);
    }
  };
  const file = await nextFile();
  if (file === undefined) throw invalidRequest('The form has no file');
  checkDeclared(service, bucket, file.mimetype, undefined);
  return {
    source: contentOf(file),
    type: file.mimetype,
    details: async () => {
      const another = await nextFile();
      another?.file.resume();
      if (another !== undefined) throw invalidRequest('The form has more than one file');
      const age = fields.get('cacheControl');
      return {
        cacheControl:
          age !== undefined && SECONDS.test(age) ? `max-age=${age}` : (age ?? 'no-cache'),
        userMetadata: readMetadata(fields.get('metadata')),
      };
    },
  };
}
