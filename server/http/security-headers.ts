// Headers that limit what a page of ours may do: no third-party origin, no inline script, no frame.
import type { FastifyInstance } from 'fastify';

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // Radix and sonner set style attributes; there is no way to inject a style sheet by them.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
].join('; ');

export function securityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    if (!String(reply.getHeader('content-type') ?? '').startsWith('text/html')) return;
    reply.header('content-security-policy', POLICY);
    reply.header('x-frame-options', 'DENY');
    reply.header('cross-origin-opener-policy', 'same-origin');
    reply.header('permissions-policy', 'geolocation=(self), camera=(self), microphone=()');
  });
}
