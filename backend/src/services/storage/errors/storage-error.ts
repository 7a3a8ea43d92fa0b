// An answer of the storage service that is not a success (PROTOCOL.md 4.1).

export class StorageError extends Error {
  override readonly name = 'StorageError';

  /**
   * @param statusCode the real status; in the body, since the wire says 400 for nearly everything
   * @param error short name of the kind, as storage-js knows it
   * @param code S3's name of the kind
   * @param status what the wire says
   * @param retryAfter seconds after which the same may be tried again
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
