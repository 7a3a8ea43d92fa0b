// What every endpoint of the storage service is handed.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { UnusedBlobs } from './blobs/unused-blobs.ts';
import type { Visitor } from './identity.ts';
import type { SignedUrls } from './signing/signed-urls.ts';
import type { DiskSpace } from './upload/disk-space.ts';

export interface Service {
  context: Context;
  blobs: BlobStore;
  unused: UnusedBlobs;
  space: DiskSpace;
  signedUrls: SignedUrls;
}

/** Reads the request, does one thing, returns what is sent as JSON; refuses by throwing a StorageError. */
export type Endpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor,
) => Promise<unknown>;

/** The address alone gives the right: of a public bucket, or signed. */
export type OpenEndpoint = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>;
