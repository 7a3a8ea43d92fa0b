// What the routes share that gateways and panels call: the body as sent, its signature, and what is wrong with it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** PostgreSQL stores no NUL. */
export const text = (most: number) =>
  z.string().transform((value) => value.replaceAll('\0', '').slice(0, most));

export const header = (request: FastifyRequest, name: string): string =>
  String(request.headers[name] ?? '');

/** The headers of our own form: see `gatewayProblem`. */
export const signedBy = (request: FastifyRequest) => ({
  timestamp: header(request, 'x-timestamp'),
  signature: header(request, 'x-signature').replace(/^sha256=/, ''),
});

/** Bodies of these types stay text, because the signature is of the bytes as sent. @param most bytes */
export function takeAsSent(app: FastifyInstance, types: readonly string[], most: number): void {
  app.removeAllContentTypeParsers();
  const asText = { parseAs: 'string', bodyLimit: most } as const;
  for (const type of types) {
    app.addContentTypeParser(type, asText, (_request, body, done) => done(null, String(body)));
  }
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** "id: Too small", for who sends it. */
export function firstIssue({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'body'}: ${issue?.message}`;
}
