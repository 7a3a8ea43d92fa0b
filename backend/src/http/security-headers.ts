import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Application } from '../context.ts';

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
