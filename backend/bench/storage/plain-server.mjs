// Baseline: Fastify that streams a body to an fsynced file and serves files with @fastify/static.
// No permissions, no database, no limits. Prints its port.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';

const folder = process.argv[2];
const app = fastify();
app.addContentTypeParser('*', (_request, _payload, done) => done(null));
await app.register(fastifyStatic, { root: folder, prefix: '/files/' });
app.put('/files/:name', async (request) => {
  await pipeline(
    request.raw,
    createWriteStream(`${folder}/${request.params.name}`, { flush: true }),
  );
  return {};
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(url);
process.on('SIGTERM', () => process.exit(0));
