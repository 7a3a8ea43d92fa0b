// GET and HEAD of /object/…: the file itself.
import { invalidSignature } from '../errors/catalogue.ts';
import type { Endpoint, OpenEndpoint } from '../service.ts';
import { findAsCaller, findInPublic, findSigned } from './find-readable.ts';
import { sendObject } from './send-object.ts';

export const download: Endpoint = (service, request, reply, visitor) =>
  sendObject(service, request, reply, () => findAsCaller(service, request, visitor));

export const downloadPublic: OpenEndpoint = (service, request, reply) =>
  sendObject(service, request, reply, () => findInPublic(service, request));

export const downloadSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  // Who was given a small picture was not given the large one.
  if (transformations !== '') throw invalidSignature();
  return sendObject(service, request, reply, find, expires);
};
