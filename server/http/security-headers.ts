import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const SELF = ["'self'"];
const NONE = ["'none'"];

/**
 * No third-party origin except the configured map tiles, no inline script, no frames.
 * @param tileUrl address of the map tiles; undefined means none
 */
export async function securityHeaders(
  app: FastifyInstance,
  tileUrl: string | undefined,
): Promise<void> {
  const tiles = tileUrl === undefined ? [] : [new URL(tileUrl).origin];
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: SELF,
        scriptSrc: SELF,
        // Radix and sonner set style attributes, which can't inject a style sheet.
        styleSrc: [...SELF, "'unsafe-inline'"],
        imgSrc: [...SELF, 'data:', 'blob:', ...tiles],
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
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'geolocation=(self), camera=(self), microphone=()');
  });
}
