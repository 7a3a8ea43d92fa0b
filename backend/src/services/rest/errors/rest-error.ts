/** An error response in PostgREST's format (PostgREST docs, "Errors"). */
export class RestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly options: {
      details?: unknown;
      hint?: string | null;
      headers?: Record<string, string>;
      /** HTTP reason phrase. */
      statusText?: string | undefined;
    } = {},
  ) {
    super(message);
  }

  body(): { code: string; details: unknown; hint: string | null; message: string } {
    const { details = null, hint = null } = this.options;
    return { code: this.code, details, hint, message: this.message };
  }
}
