// An HTML page: compressed once, revalidated by ETag, its inline scripts allowed by hash.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from 'supabase-in-node/network';

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof compressors;

/** CSP sources for the page's inline scripts. */
function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => {
    const hash = createHash('sha256').update(code).digest('base64');
    return `'sha256-${hash}'`;
  });
}

export interface Page {
  /** @param status only a 200 can become a 304 */
  send(request: FastifyRequest, reply: FastifyReply, status?: number): Promise<FastifyReply>;
}

/** @param caching the Cache-Control header */
export function openPage(html: string, caching: 'no-cache' | 'no-store' = 'no-cache'): Page {
  const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 24)}"`;
  const scripts = inlineScripts(html).join(' ');
  const packed: Partial<Record<Encoding, Promise<Buffer>>> = {};

  return {
    async send(request, reply, status = 200) {
      const policy = reply.getHeader('content-security-policy');
      if (scripts !== '' && typeof policy === 'string') {
        reply.header(
          'content-security-policy',
          policy.replace("script-src 'self'", `script-src 'self' ${scripts}`),
        );
      }
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': caching,
        vary: 'accept-encoding',
        etag,
      });
      if (status === 200 && request.headers['if-none-match']?.includes(etag)) {
        return reply.code(304).send();
      }
      const encoding = encodingFor(request);
      if (encoding === undefined) return reply.code(status).send(html);
      packed[encoding] ??= compressors[encoding](html);
      return reply
        .code(status)
        .header('content-encoding', encoding)
        .send(await packed[encoding]);
    },
  };
}
