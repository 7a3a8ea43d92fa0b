// Errors with the codes and messages of Supabase Storage (github.com/supabase/storage, Supabase docs "Storage Error
// Codes"), which clients match on.
import { RETRY_AFTER_S } from '../../database/unavailable.ts';

export class StorageError extends Error {
  override readonly name = 'StorageError';

  /**
   * @param statusCode the actual status, sent in the body: Supabase Storage responds with 400 to nearly everything
   * @param error short name for storage-js
   * @param code S3's error code
   * @param status HTTP status
   * @param retryAfter seconds
   */
  constructor(
    readonly statusCode: number,
    readonly error: string,
    message: string,
    readonly code: string,
    readonly status = 400,
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  body(): { statusCode: string; error: string; message: string; code: string } {
    const { statusCode, error, message, code } = this;
    return { statusCode: String(statusCode), error, message, code };
  }
}

/** @param kind actual status, S3's code and the short name; @param status HTTP status */
function error(kind: string, message: string, status?: number, retryAfter?: number): StorageError {
  const [, statusCode, code = '', name = ''] = /^(\d+) (\w+) (.+)$/.exec(kind) ?? [];
  return new StorageError(Number(statusCode), name, message, code, status, retryAfter);
}

export const noSuchBucket = () => error('404 NoSuchBucket Bucket not found', 'Bucket not found');
export const noSuchKey = () => error('404 NoSuchKey not_found', 'Object not found');
export const accessDenied = (message: string) => error('403 AccessDenied Unauthorized', message);
/** PostgreSQL's message without the table's name. */
export const policyViolation = () => accessDenied('new row violates row-level security policy');
export const serviceOnly = () =>
  error('403 AccessDenied Unauthorized', 'Access denied: Invalid role', 403);
export const alreadyExists = (code: 'KeyAlreadyExists' | 'BucketAlreadyExists') =>
  error(`409 ${code} Duplicate`, 'The resource already exists');
export const bucketNotEmpty = () =>
  error('409 ResourceNotEmpty ResourceNotEmpty', 'The bucket you tried to delete is not empty');
export const tooLarge = () =>
  error('413 EntityTooLarge Payload too large', 'The object exceeded the maximum allowed size');
export const wrongType = (type: string) =>
  error('415 InvalidMimeType invalid_mime_type', `mime type ${type} is not supported`);
export const typeMismatch = (declared: string, detected: string) =>
  error(
    '415 InvalidMimeType invalid_mime_type',
    `The file was sent as ${declared}, but its content is ${detected}`,
  );
/** @param key shortened if it may be long */
export const invalidKey = (key: string) =>
  error('400 InvalidKey InvalidKey', `Invalid key: ${key}`);
export const invalidBucketName = () =>
  error('400 InvalidBucketName Invalid Input', 'Bucket name invalid');
export const invalidRequest = (message: string) => error('400 InvalidRequest Error', message);
export const invalidToken = (message: string) => error('400 InvalidJWT InvalidJWT', message);
export const invalidSignature = (message = 'Invalid signature') =>
  error('400 InvalidSignature InvalidSignature', message);
export const invalidRange = () =>
  error('416 InvalidRange invalid_range', 'invalid range provided', 416);
export const notAnImage = () =>
  error('422 InvalidRequest invalid_image', 'The object is not an image that can be transformed');
export const imageTooLarge = () =>
  error('422 InvalidRequest invalid_image', 'The image has too many pixels to be transformed');
export const resultTooLarge = () =>
  error(
    '422 InvalidRequest invalid_image',
    'The transformed image would have too many pixels. Ask for a smaller width or height.',
  );
export const imageTooSlow = () =>
  error(
    '422 InvalidRequest invalid_image',
    'Transforming the image takes too long. Ask for a smaller width or height.',
  );
/** Nobody receives it. */
export const clientGone = () =>
  error('499 ClientClosedRequest Error', 'The client disconnected.', 499);
export const noSpace = () =>
  error(
    '507 InsufficientStorage insufficient_storage',
    'There is not enough space for this file at the moment. Please try again later.',
    507,
  );
/** @param retryAfter seconds */
export const overQuota = (message: string, retryAfter: number) =>
  error('429 QuotaExceeded quota_exceeded', message, 429, retryAfter);
export const tooManyUnfinished = () =>
  overQuota(
    'You have too many unfinished uploads. Finish or cancel some, or try again later.',
    3600,
  );
export const tooManyRequests = (message: string) =>
  error('429 SlowDown slow_down', message, 429, RETRY_AFTER_S);
export const tooManyTransforms = () =>
  error('503 SlowDown slow_down', 'Too many images are being transformed. Please try again.', 503);
export const damaged = () =>
  error(
    '500 InternalError Internal',
    'The stored file is damaged. Upload it again, or restore it from a backup.',
    500,
  );
export const databaseUnavailable = () =>
  error(
    '503 ServiceUnavailable service_unavailable',
    'The database is not available at the moment. Please try again.',
    503,
    RETRY_AFTER_S,
  );
export const databaseTimeout = () =>
  error('544 57014 DatabaseTimeout', 'The database took too long', 544);
export const incomplete = () =>
  error('400 IncompleteBody Error', 'The file was not received completely. Please send it again.');
