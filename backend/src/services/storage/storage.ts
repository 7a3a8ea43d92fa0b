// /storage/v1, as Supabase Storage (github.com/supabase/storage).
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { expireRegistered, openDiskSpace, openUnusedBlobs } from './blobs/space.ts';
import { applyConfiguredBuckets } from './buckets/bucket.ts';
import {
  createBucket,
  deleteBucket,
  emptyBucket,
  getBucket,
  listBuckets,
  updateBucket,
} from './buckets/endpoints.ts';
import { asCaller, asService } from './database.ts';
import {
  download,
  downloadPublic,
  downloadSigned,
  info,
  infoPublic,
} from './download/endpoints.ts';
import { openImages } from './images/images.ts';
import { render, renderPublic, renderSigned } from './images/render.ts';
import { copyObject, moveObject, removeObject, removeObjects } from './objects/endpoints.ts';
import { listObjects, listPage } from './objects/list.ts';
import { renderError } from './render-error.ts';
import { resumableRoutes } from './resumable/routes.ts';
import { type Call, type Endpoint, identify, type Service } from './service.ts';
import { signObject, signObjects, signUpload } from './signing/sign.ts';
import { openSignedUrls } from './signing/signed-urls.ts';
import { uploadObject, uploadSigned } from './upload/receive.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
type Routes = Record<string, Partial<Record<Method, Endpoint>>>;
const file = (endpoint: Endpoint) => ({ GET: endpoint, HEAD: endpoint });

/** Public buckets and signed URLs: no token needed. */
const OPEN: Routes = {
  '/object/public/:bucket/*': file(downloadPublic),
  '/object/sign/:bucket/*': file(downloadSigned),
  '/object/info/public/:bucket/*': file(infoPublic),
  '/object/upload/sign/:bucket/*': { PUT: uploadSigned },
  '/render/image/public/:bucket/*': file(renderPublic),
  '/render/image/sign/:bucket/*': file(renderSigned),
};

/** Subject to row-level security. */
const WITH_TOKEN: Routes = {
  '/bucket': { GET: listBuckets, POST: createBucket },
  '/bucket/:bucket': { GET: getBucket, PUT: updateBucket, DELETE: deleteBucket },
  '/bucket/:bucket/empty': { POST: emptyBucket },
  '/object/:bucket/*': {
    ...file(download),
    POST: uploadObject,
    PUT: uploadObject,
    DELETE: removeObject,
  },
  '/object/:bucket': { DELETE: removeObjects },
  '/object/authenticated/:bucket/*': file(download),
  '/object/info/:bucket/*': file(info),
  '/object/info/authenticated/:bucket/*': file(info),
  '/object/list/:bucket': { POST: listObjects },
  '/object/list-v2/:bucket': { POST: listPage },
  '/object/move': { POST: moveObject },
  '/object/copy': { POST: copyObject },
  '/object/sign/:bucket': { POST: signObjects },
  '/object/sign/:bucket/*': { POST: signObject },
  '/object/upload/sign/:bucket/*': { POST: signUpload },
  '/render/image/authenticated/:bucket/*': file(render),
};

/** The release of Supabase Storage that this API matches. */
const VERSION = '1.25.0';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

function addRoutes(
  app: FastifyInstance,
  routes: Routes,
  callOf: (request: FastifyRequest, reply: FastifyReply) => Promise<Call>,
): void {
  // Files are not compressed: lengths and ranges refer to their bytes.
  const options = { compress: false, exposeHeadRoute: false } as const;
  for (const [url, endpoints] of Object.entries(routes)) {
    for (const method of METHODS) {
      const endpoint = endpoints[method];
      if (endpoint === undefined) continue;
      const handler = async (request: FastifyRequest, reply: FastifyReply) =>
        endpoint(await callOf(request, reply));
      app.route({ ...options, method, url, handler });
    }
  }
}

function unknownRoute(prefix: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // CORS preflight requests are answered earlier.
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const url = request.url.slice(prefix.length).split('?')[0];
    return reply.code(404).send({
      message: `Route ${request.method}:${url} not found`,
      error: 'Not Found',
      statusCode: 404,
    });
  };
}

export function storageService(context: Context): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    const service = await openService(context, (error) =>
      app.log.error({ err: error }, 'unused blobs'),
    );
    app.addHook('onClose', () => service.unused.settled());
    app.addHook('onClose', async () => service.images.close());
    app.setErrorHandler(renderError);
    // Endpoints read bodies themselves: files as streams, JSON with any content type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    await app.register(multipart);

    const { database } = context;
    const open = { ...service, db: asService(database), role: undefined, sub: undefined };
    addRoutes(app, OPEN, async (request, reply) => ({ ...open, request, reply }));
    addRoutes(app, WITH_TOKEN, async (request, reply) => {
      const { caller, sub } = await identify(request, context.keys);
      return { ...service, request, reply, db: asCaller(database, caller), role: caller.role, sub };
    });
    await resumableRoutes(app, service);
    app.get('/status', async () => ({}));
    app.get('/version', async (_request, reply) => reply.type('text/plain').send(VERSION));
    // Not a not-found handler, because the web app handles paths without a route.
    app.all('/*', unknownRoute(app.prefix));
  };
}

/** @param onError called for failures in the background */
export async function openService(
  context: Context,
  onError: (error: unknown) => void,
): Promise<Service> {
  const { blobs, database, settings } = context;
  const pool = database.storage;
  await applyConfiguredBuckets(pool, settings.storage.buckets);
  const unused = openUnusedBlobs(pool, blobs, onError);
  await expireRegistered(pool, blobs);
  unused.collect();
  const { bytes_per_day = null, files_per_day = null } = settings.storage.quota;
  await pool.query(
    `insert into storage.quota (bytes_per_day, files_per_day) values ($1, $2)
     on conflict (only_row) do update set
       bytes_per_day = excluded.bytes_per_day, files_per_day = excluded.files_per_day`,
    [bytes_per_day, files_per_day],
  );
  const space = openDiskSpace(context);
  const signedUrls = await openSignedUrls(pool);
  return { context, blobs, unused, space, signedUrls, images: openImages(context.sourceDir) };
}
