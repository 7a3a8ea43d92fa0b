// GET and HEAD /object/…
import { invalidSignature } from '../errors/catalogue.ts';
import type { Endpoint, OpenEndpoint } from '../service.ts';
import { findAsCaller, findInPublic, findSigned } from './find-readable.ts';
import { sendObject } from './send-object.ts';

export const download: Endpoint = (service, request, reply, user) =>
  sendObject(service, request, reply, () => findAsCaller(service, request, user));

export const downloadPublic: OpenEndpoint = (service, request, reply) =>
  sendObject(service, request, reply, () => findInPublic(service, request));

export const downloadSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  // The URL was signed for a transformed image, not for the original.
  if (transformations !== '') throw invalidSignature();
  return sendObject(service, request, reply, find, expires);
};
