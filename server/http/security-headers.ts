// Headers that limit what a page of ours may do: no third-party origin but configured map tiles, no inline script, no frame.
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const SELF = ["'self'"];
const NONE = ["'none'"];

/** @param tileUrl of the map's pictures, the one thing that may come from elsewhere; undefined means none */
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
        // Radix and sonner set style attributes; there is no way to inject a style sheet by them.
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
