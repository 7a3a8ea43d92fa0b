// Errors with the codes and messages of Supabase Storage (github.com/supabase/storage, Supabase docs "Storage Error
// Codes"), which clients match on.
import { RETRY_AFTER_S } from '../../../database/unavailable.ts';

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

export const noSuchBucket = (): StorageError =>
  new StorageError(404, 'Bucket not found', 'Bucket not found', 'NoSuchBucket');

export const noSuchKey = (): StorageError =>
  new StorageError(404, 'not_found', 'Object not found', 'NoSuchKey');

export const accessDenied = (message: string): StorageError =>
  new StorageError(403, 'Unauthorized', message, 'AccessDenied');

/** PostgreSQL's message without the table's name. */
export const policyViolation = (): StorageError =>
  accessDenied('new row violates row-level security policy');

export const serviceOnly = (): StorageError =>
  new StorageError(403, 'Unauthorized', 'Access denied: Invalid role', 'AccessDenied', 403);

export const alreadyExists = (code: 'KeyAlreadyExists' | 'BucketAlreadyExists'): StorageError =>
  new StorageError(409, 'Duplicate', 'The resource already exists', code);

export const bucketNotEmpty = (): StorageError =>
  new StorageError(
    409,
    'ResourceNotEmpty',
    'The bucket you tried to delete is not empty',
    'ResourceNotEmpty',
  );

export const tooLarge = (): StorageError =>
  new StorageError(
    413,
    'Payload too large',
    'The object exceeded the maximum allowed size',
    'EntityTooLarge',
  );

export const wrongType = (type: string): StorageError =>
  new StorageError(
    415,
    'invalid_mime_type',
    `mime type ${type} is not supported`,
    'InvalidMimeType',
  );

export const typeMismatch = (declared: string, detected: string): StorageError =>
  new StorageError(
    415,
    'invalid_mime_type',
    `The file was sent as ${declared}, but its content is ${detected}`,
    'InvalidMimeType',
  );

/** @param key shortened if it may be long */
export const invalidKey = (key: string): StorageError =>
  new StorageError(400, 'InvalidKey', `Invalid key: ${key}`, 'InvalidKey');

export const invalidBucketName = (): StorageError =>
  new StorageError(400, 'Invalid Input', 'Bucket name invalid', 'InvalidBucketName');

export const invalidRequest = (message: string): StorageError =>
  new StorageError(400, 'Error', message, 'InvalidRequest');

export const invalidToken = (message: string): StorageError =>
  new StorageError(400, 'InvalidJWT', message, 'InvalidJWT');

export const invalidSignature = (message = 'Invalid signature'): StorageError =>
  new StorageError(400, 'InvalidSignature', message, 'InvalidSignature');

export const invalidRange = (): StorageError =>
  new StorageError(416, 'invalid_range', 'invalid range provided', 'InvalidRange', 416);

export const notAnImage = (): StorageError =>
  new StorageError(
    422,
    'invalid_image',
    'The object is not an image that can be transformed',
    'InvalidRequest',
  );

export const imageTooLarge = (): StorageError =>
  new StorageError(
    422,
    'invalid_image',
    'The image has too many pixels to be transformed',
    'InvalidRequest',
  );

export const noSpace = (): StorageError =>
  new StorageError(
    507,
    'insufficient_storage',
    'There is not enough space for this file at the moment. Please try again later.',
    'InsufficientStorage',
    507,
  );

/** @param retryAfter seconds */
export const overQuota = (message: string, retryAfter: number): StorageError =>
  new StorageError(429, 'quota_exceeded', message, 'QuotaExceeded', 429, retryAfter);

export const tooManyRequests = (message: string): StorageError =>
  new StorageError(429, 'slow_down', message, 'SlowDown', 429, RETRY_AFTER_S);

const HOUR_S = 3600;

export const tooManyUnfinished = (): StorageError =>
  overQuota(
    'You have too many unfinished uploads. Finish or cancel some, or try again later.',
    HOUR_S,
  );

export const databaseUnavailable = (): StorageError =>
  new StorageError(
    503,
    'service_unavailable',
    'The database is not available at the moment. Please try again.',
    'ServiceUnavailable',
    503,
    RETRY_AFTER_S,
  );

export const incomplete = (): StorageError =>
  new StorageError(
    400,
    'Error',
    'The file was not received completely. Please send it again.',
    'IncompleteBody',
  );
