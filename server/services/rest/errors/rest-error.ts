// An answer that is not a success: status, PostgREST's or PostgreSQL's code, and what the caller may read.

/** Four keys of the body, plus headers that go with it (PROTOCOL.md 2.1). */
export class RestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: {
      details?: unknown;
      hint?: string | null;
      headers?: Record<string, string>;
      /** Replaces the status's usual text. */
      statusText?: string | undefined;
    } = {},
  ) {
    super(message);
  }

  body(): { code: string; details: unknown; hint: string | null; message: string } {
    const { details = null, hint = null } = this.more;
    return { code: this.code, details, hint, message: this.message };
  }
}
