// GET /bucket/{id}
import { asCaller } from '../database.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { bucketJson, findBucket } from './bucket.ts';

export const getBucket: Endpoint = async (service, request, _reply, user) =>
  bucketJson(await findBucket(asCaller(service, user), bucketNameOf(request)));
