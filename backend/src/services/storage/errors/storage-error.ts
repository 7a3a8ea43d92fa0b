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
