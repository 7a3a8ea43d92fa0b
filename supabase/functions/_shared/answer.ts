// JSON responses, readable from any origin: rights come with the token, not with cookies.

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, x-client-info, apikey, content-type, x-region',
};

/** An error that is shown to the caller. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function answer(status: number, body: Record<string, unknown>): Response {
  return Response.json(body, { status, headers: CORS });
}

/** Runs `work` for a POST; refusals become `{ code, message }`. */
export async function answerPost(
  request: Request,
  work: () => Promise<Record<string, unknown>>,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS });
  try {
    if (request.method !== 'POST')
      throw new Refusal(405, 'method_not_allowed', 'Only POST works here.');
    return answer(200, await work());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer(error.status, { code: error.code, message: error.message });
  }
}
