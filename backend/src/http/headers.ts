// Any origin may call the services, because every right comes with the token and none with a cookie.

import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Application } from '../context.ts';

const SERVICES = /^\/(auth|rest|realtime|storage|functions)\/v1(\/|$|\?)/;
const ALLOWED_HEADERS = [
  'authorization, apikey, x-client-info, content-type, prefer, range, range-unit, accept-profile',
  'content-profile, x-upsert, cache-control, x-metadata, x-supabase-api-version, x-region',
  'x-retry-count, traceparent, tracestate, baggage, x-signature, tus-resumable, upload-length, upload-offset',
  'upload-metadata, upload-defer-length',
].join(', ');
const EXPOSED_HEADERS = [
  'Content-Range, Content-Location, Location, Preference-Applied, X-Total-Count, Link',
  'X-Supabase-Api-Version, sb-request-id, Content-Encoding, Range, Range-Unit, WWW-Authenticate, Retry-After',
  'ETag, Content-Length, Content-Disposition, Accept-Ranges, X-Transformations',
  'Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset, Upload-Length, Upload-Defer-Length',
  'Upload-Metadata, Upload-Expires',
].join(', ');

/** Same-origin requests may read every header: leaving the list out saves half a kilobyte on slow connections. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && origin.replace(/^https?:\/\//, '') === host;
}

export function corsForServices(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!SERVICES.test(request.url)) {
      done();
      return;
    }
    reply.header('access-control-allow-origin', '*');
    if (!isSameOrigin(request)) reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    reply.header('sb-request-id', request.id);
    const isPreflight =
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) {
      done();
      return;
    }
    const asked = request.headers['access-control-request-headers'];
    reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    reply.header('access-control-allow-headers', asked ?? ALLOWED_HEADERS);
    reply.header('access-control-max-age', '7200');
    reply.code(204).send();
  });
}

const SELF = ["'self'"];
const NONE = ["'none'"];

/** No third-party origin except for configured images, no inline script, no frames. */
export async function securityHeaders(
  app: FastifyInstance,
  { imageOrigins = [], permissionsPolicy }: Application,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: SELF,
        scriptSrc: SELF,
        // Radix and sonner set style attributes, which can't inject a style sheet.
        styleSrc: [...SELF, "'unsafe-inline'"],
        imgSrc: [...SELF, 'data:', 'blob:', ...imageOrigins],
        fontSrc: SELF,
        connectSrc: SELF,
        objectSrc: NONE,
        baseUri: SELF,
        formAction: SELF,
        frameAncestors: NONE,
        manifestSrc: SELF,
        workerSrc: SELF,
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Any origin may call the services; every right comes with the token.
    crossOriginResourcePolicy: false,
  });
  if (permissionsPolicy === undefined) return;
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', permissionsPolicy);
  });
}
