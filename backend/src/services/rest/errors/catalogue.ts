// Errors with PostgREST's code, status and exact message (PostgREST docs, "Errors"). Those whose hints need the schema
// cache are built in plan/.

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

const challenge = (message: string): Record<string, string> => ({
  'www-authenticate': `Bearer error="invalid_token", error_description="${message}"`,
});

/** Not in PostgREST: limits the size of the statement. */
export const tooComplex = (what: string, limit: number): RestError =>
  new RestError(400, 'PGRST100', `The request has too many ${what}`, {
    details: `At most ${limit} are allowed.`,
  });

/** A regular expression that could take forever to compile or match. */
export const costlyPattern = (reason: string): RestError =>
  new RestError(400, '2201B', `invalid regular expression: ${reason}`);

/** A text search with thousands of terms takes as long as an expensive regular expression. */
export const searchTooLong = (limit: number): RestError =>
  new RestError(400, 'PGRST100', 'The text to search for is too long', {
    details: `At most ${limit} characters are allowed.`,
  });

/** @param limit in bytes */
export const responseTooLarge = (limit: number | string): RestError =>
  new RestError(400, '54000', 'The response is too large', {
    details: `At most ${limit} bytes are allowed.`,
    hint: 'Request fewer rows, columns or embedded resources.',
  });

export const tooManyQueries = (message: string): RestError =>
  new RestError(429, 'PGRST003', message, { headers: { 'retry-after': '1' } });

export const unparsable = (message: string, details: string): RestError =>
  new RestError(400, 'PGRST100', message, { details });

export const invalidBytes = (what: string): RestError =>
  new RestError(400, '22021', `invalid byte sequence for encoding "UTF8": ${what}`);

export const rpcMethod = (method: string): RestError =>
  new RestError(405, 'PGRST101', `Cannot use the ${method} method on RPC`);

export const invalidBody = (message: string): RestError => new RestError(400, 'PGRST102', message);

/** @param total number of rows, if they were counted */
export const invalidRange = (details: string, total?: bigint): RestError =>
  new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
    details,
    headers: total === undefined ? {} : { 'content-range': `*/${total}` },
  });

export const putFilters = (): RestError =>
  new RestError(
    405,
    'PGRST105',
    "Filters must include all and only primary key columns with 'eq' operators",
  );

export const schemaNotExposed = (schema: string, exposed: readonly string[]): RestError =>
  new RestError(406, 'PGRST106', `Invalid schema: ${schema}`, {
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  });

export const mediaType = (accepted: string): RestError =>
  new RestError(406, 'PGRST107', `None of these media types are available: ${accepted}`);

export const notEmbedded = (name: string): RestError =>
  new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });

export const responseHeaders = (): RestError =>
  new RestError(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  );

export const responseStatus = (): RestError =>
  new RestError(500, 'PGRST112', 'response.status guc must be a valid status code');

export const putRange = (): RestError =>
  new RestError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT');

export const putMismatch = (): RestError =>
  new RestError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');

export const notSingle = (rows: string): RestError =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });

export const unsupportedMethod = (method: string): RestError =>
  new RestError(405, 'PGRST117', `Unsupported HTTP method: ${method}`);

export const relatedOrder = (origin: string, target: string): RestError =>
  new RestError(400, 'PGRST118', `A related order on '${target}' is not possible`, {
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  });

export const embedOperator = (name: string): RestError =>
  new RestError(400, 'PGRST120', `Bad operator on the '${name}' embedded resource`, {
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });

export const invalidPreferences = (names: readonly string[]): RestError =>
  new RestError(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
    details: `Invalid preferences: ${names.join(', ')}`,
  });

export const aggregatesOff = (): RestError =>
  new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed');

export const maxAffected = (rows: string): RestError =>
  new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
    details: `The query affects ${rows} rows`,
  });

export const invalidPath = (): RestError =>
  new RestError(404, 'PGRST125', 'Invalid path specified in request URL');

export const aggregateSpread = (): RestError =>
  new RestError(400, 'PGRST127', 'Feature not implemented', {
    details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
  });

export const maxAffectedFunction = (): RestError =>
  new RestError(
    400,
    'PGRST128',
    'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  );

export const unknownColumn = (column: string, table: string): RestError =>
  new RestError(
    400,
    'PGRST204',
    `Could not find the '${column}' column of '${table}' in the schema cache`,
  );

export const badToken = (message: string): RestError =>
  new RestError(401, 'PGRST301', message, { headers: challenge(message) });

export const anonymousOff = (): RestError =>
  new RestError(401, 'PGRST302', 'Anonymous access is disabled', {
    headers: { 'www-authenticate': 'Bearer' },
  });

export const badClaims = (message: string): RestError =>
  new RestError(401, 'PGRST303', message, { headers: challenge(message) });

export const unknownRole = (role: string): RestError =>
  new RestError(401, '22023', `role "${role}" does not exist`, {
    headers: { 'www-authenticate': 'Bearer' },
  });

export const tooLarge = (): RestError =>
  new RestError(413, 'PGRST102', 'The body is larger than this service accepts');
