import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { UnusedBlobs } from './blobs/unused-blobs.ts';
import type { User } from './identity.ts';
import type { SignedUrls } from './signing/signed-urls.ts';
import type { DiskSpace } from './upload/disk-space.ts';

/** Passed to every endpoint. */
export interface Service {
  context: Context;
  blobs: BlobStore;
  unused: UnusedBlobs;
  space: DiskSpace;
  signedUrls: SignedUrls;
}

/** Returns the JSON response, or throws a StorageError. */
export type Endpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
) => Promise<unknown>;

/** For public buckets and signed URLs. */
export type OpenEndpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;
