/** With the codes and messages of a Supabase project's gateway and runtime (Supabase docs, "Edge Functions Status Codes"). */
export class FunctionError extends Error {
  readonly status: number;
  readonly code: string;
  /** For the log, if it is the server's or the function's fault. */
  readonly reason: string | undefined;
  /** Whether the request did not reach the function, which clients see by the x-relay-error header. */
  readonly isRelay: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    { reason, isRelay = true }: { reason?: string; isRelay?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.isRelay = isRelay;
  }
}

export const noToken = () =>
  new FunctionError(401, 'UNAUTHORIZED_NO_AUTH_HEADER', 'Missing authorization header');
export const badToken = () => new FunctionError(401, 'UNAUTHORIZED_INVALID_JWT', 'Invalid JWT');
export const noFunction = () =>
  new FunctionError(404, 'NOT_FOUND', 'Requested function was not found');
export const notStarted = (reason: string) =>
  new FunctionError(503, 'BOOT_ERROR', 'Function failed to start', { reason });
export const failed = (reason: string) =>
  new FunctionError(500, 'WORKER_ERROR', 'Function exited due to an error', {
    reason,
    isRelay: false,
  });
export const tooMuch = (reason: string) =>
  new FunctionError(
    546,
    'WORKER_LIMIT',
    'Function failed due to not having enough compute resources',
    { reason },
  );
export const tooLate = (reason: string) =>
  new FunctionError(504, 'IDLE_TIMEOUT', 'The request idle timeout limit was reached', { reason });
